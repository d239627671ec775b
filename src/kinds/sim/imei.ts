/** Digits of an IMEI with its check digit; one without it has one less, and a software version of two digits has no check digit. */
const WITH_CHECK_DIGIT = 15;

/** The digit that is last in an IMEI of these 14 digits (3GPP TS 23.003, annex B: Luhn). */
function checkDigit(digits: string): number {
  const sum = Array.from(digits, Number).reduce((total, digit, index) => {
    const value = digit * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** What is odd about an IMEI: its last digit follows from the others, so another one is a typing error. Pure. */
export function imeiWarnings(imei: string): string[] {
  const expected = checkDigit(imei.slice(0, WITH_CHECK_DIGIT - 1));
  if (imei.length !== WITH_CHECK_DIGIT || imei.endsWith(String(expected))) return [];
  return [
    `imeiLock ${imei} is the IMEI of no device: by its other digits the last one would be ${expected}. Compare it with what the device shows for *#06#, lest the SIM work in none.`,
  ];
}
