#include "errors.hpp"

#include <nanobind/nanobind.h>

#include <boxcar/error.hpp>

namespace boxcar::python {
namespace {

namespace nb = nanobind;

void raise(const char* name, const std::exception& e) {
  const nb::object type = nb::module_::import_("boxcar.errors").attr(name);
  PyErr_SetString(type.ptr(), e.what());
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const argument_error& e) {
      raise("ArgumentError", e);
    } catch (const contract_error& e) {
      raise("ContractError", e);
    } catch (const world_error& e) {
      raise("WorldError", e);
    } catch (const system_error& e) {
      raise("MachineError", e);
    } catch (const error& e) {
      raise("Error", e);
    }
  });
}

}  // namespace boxcar::python
