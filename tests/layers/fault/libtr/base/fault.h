// A planted fault for tests/layers/check.py.
#include "libtr/data/text.h"
