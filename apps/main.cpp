// The program libtr.
#include "libtr/experiment/cli.h"

int main(int argc, char** argv) { return tr::run_cli(argc, argv); }
