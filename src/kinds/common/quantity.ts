import type { ValidationRule } from '../../kubernetes/cel.ts';

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};
const QUANTITY = /^(?<number>[0-9]{1,9}([.][0-9]{1,3})?|[0-9]{10,15})(?<unit>([kMGT]|[KMGT]i)?)$/;

/** Bytes of a Kubernetes quantity such as `500Mi`, `1.5G` or `2000000`; undefined for any other text. */
export function quantityBytes(text: string): number | undefined {
  const { number, unit = '' } = QUANTITY.exec(text)?.groups ?? {};
  return number === undefined ? undefined : Math.floor(Number(number) * (FACTORS[unit] ?? 1));
}

/** A quantity of bytes above nothing, as CEL rules; CEL's own `quantity()` knows parts of bytes, too. */
export function isBytes(field: string): ValidationRule[] {
  return [
    {
      rule: "self.matches('^([0-9]{1,9}([.][0-9]{1,3})?|[0-9]{10,15})([kMGT]|[KMGT]i)?$')",
      message: `${field} must be bytes as Kubernetes writes them, such as 500Mi, 2Gi or 1500M: a number, and Ki, Mi, Gi, Ti or k, M, G, T`,
    },
    {
      // Whoever writes 500 means megabytes, and a SIM with a limit of 500 bytes is out of service.
      rule: "!self.matches('^[0-9.]{1,6}$')",
      message: `${field} needs a unit, such as 500Mi or 2Gi: without one it is in bytes`,
    },
    {
      rule: "!self.matches('^[0.]+[a-zA-Z]*$')",
      message: `${field} must be more than nothing, for example 500Mi`,
    },
  ];
}
