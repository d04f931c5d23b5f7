// A planted fault for tests/layers/check.py: this line alone has 121 columns where 120 are the most, and goes on to here
