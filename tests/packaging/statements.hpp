// Declarations for the samples of the documentation that are no whole programs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

void statements(boxcar::world& world);
