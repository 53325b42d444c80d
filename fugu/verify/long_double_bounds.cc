#include "fugu/verify/long_double_bounds.h"

#include <mpfr.h>

#include <algorithm>

namespace fugu::inline in_verify {

long double rounded(const Rational& value, Toward toward) {
  mpfr_t number;
  mpfr_init2(number, 64);
  const mpfr_rnd_t way = toward == Toward::kUp ? MPFR_RNDU : MPFR_RNDD;
  mpfr_set_q(number, value.backend().data(), way);
  const long double result = mpfr_get_ld(number, way);
  mpfr_clear(number);
  return result;
}

double log_up(long double ratio) {
  mpfr_t number;
  mpfr_init2(number, 64);
  mpfr_set_ld(number, ratio, MPFR_RNDU);
  mpfr_log(number, number, MPFR_RNDU);
  const double result = mpfr_get_d(number, MPFR_RNDU);
  mpfr_clear(number);
  return result >= 0 || ratio < 1 ? std::max(0.0, result)
                                  : std::numeric_limits<double>::infinity();  // no number
}

}  // namespace fugu::inline in_verify
