// Errors that a user can mend: one line that says where, what was found and what was expected.
#pragma once

#include <stdexcept>
#include <string>

namespace tr {

/// Base of all errors that reach the user. what() is "WHERE: WHAT"; the program prints "error: " before it.
/// `where` is a JSON path ("/model/heads"), "file:line", a file or an option ("--beam").
class Error : public std::runtime_error {
 public:
  const std::string& where() const { return where_; }
  const std::string& problem() const { return problem_; }
  int exit_status() const { return exit_status_; }

 protected:
  Error(int exit_status, const std::string& where, const std::string& problem);

 private:
  std::string where_, problem_;
  int exit_status_;
};

/// Wrong use or wrong configuration: exit status 2.
class UsageError : public Error {
 public:
  UsageError(const std::string& where, const std::string& problem) : Error(2, where, problem) {}
};

/// Data, checkpoint or run-time failure: exit status 1.
class DataError : public Error {
 public:
  DataError(const std::string& where, const std::string& problem) : Error(1, where, problem) {}
};

}  // namespace tr
