import type { ValidationRule } from '../../kubernetes/cel.ts';

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ADDRESS = `${OCTET}([.]${OCTET}){3}`;

/** An IPv4 address, as a CEL rule. A pattern, because CEL's own `ip()` needs Kubernetes 1.31. */
export function isIPv4(field: string, example: string): ValidationRule {
  return {
    rule: `self.matches('^${ADDRESS}$')`,
    message: `${field} must be an IPv4 address, for example ${example}`,
  };
}

/** An IPv4 network in CIDR form, as a CEL rule. */
export function isIPv4Prefix(field: string, example: string): ValidationRule {
  return {
    rule: `self.matches('^${ADDRESS}/(3[0-2]|[12]?[0-9])$')`,
    message: `${field} must be an IPv4 network with its mask length, for example ${example}`,
  };
}
