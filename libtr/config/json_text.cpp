#include "libtr/config/json_text.h"

#include "libtr/base/files.h"

namespace tr::config {

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

void write_json(const std::filesystem::path& file, const Json& json) { write_file(file, json_text(json)); }

}  // namespace tr::config
