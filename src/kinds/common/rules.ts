import type { ValidationRule } from '../../kubernetes/cel.ts';

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ADDRESS = `${OCTET}([.]${OCTET}){3}`;
const PREFIX = `${ADDRESS}/(3[0-2]|[12]?[0-9])`;

// CEL's own `ip()` and `cidr()` need Kubernetes 1.31, so addresses are numbers here.

/** How many addresses a network has, by the length of its mask. */
const SIZES = `[${Array.from({ length: 33 }, (_, length) => 2 ** (32 - length)).join(', ')}]`;

/** An address as a number; `text` is CEL for one that is known to be well-formed. */
function number(text: string): string {
  return `(${[16_777_216, 65_536, 256, 1].map((weight, at) => `int(${text}.split('.')[${at}]) * ${weight}`).join(' + ')})`;
}

/** CEL: the text is an IPv4 address. */
const isAddress = (text: string) => `${text}.matches('^${ADDRESS}$')`;

/** An IPv4 address that a host can have, as CEL rules. */
export function isIPv4(field: string, example: string): ValidationRule[] {
  return [
    {
      rule: isAddress('self'),
      message: `${field} must be an IPv4 address, for example ${example}`,
    },
    {
      rule: "!self.matches('^(0|127|22[4-9]|23[0-9]|24[0-9]|25[0-5])[.]')",
      message: `${field} must be an address a host can have, for example ${example}: those that begin with 0, 127, or 224 and above mean something else`,
    },
  ];
}

/** An IPv4 network in CIDR form, as CEL rules. */
export function isIPv4Prefix(field: string, example: string): ValidationRule[] {
  const base = number("self.split('/')[0]");
  const size = `${SIZES}[int(self.split('/')[1])]`;
  return [
    {
      rule: `self.matches('^${PREFIX}$')`,
      message: `${field} must be an IPv4 network with its mask length, for example ${example}`,
    },
    {
      rule: "!self.matches('^(127|22[4-9]|23[0-9]|24[0-9]|25[0-5])[.]')",
      message: `${field} must be a network of hosts, for example ${example}: addresses that begin with 127, or 224 and above, mean something else`,
    },
    {
      rule: `!self.matches('^${PREFIX}$') || ${base} % ${size} == 0`,
      message: `${field} must be the first address of the network with its mask length, for example ${example}: behind the mask there are zeros`,
    },
  ];
}

/** How long the mask of a private network may be, in bits. */
export const MASK_LENGTH = { least: 8, most: 29 } as const;

/** CEL: the private interface has an address and a mask that can be calculated with; of others their own rules speak. */
const isCalculable = (inner: string) =>
  `${inner}.networkMaskLength >= ${MASK_LENGTH.least} && ${inner}.networkMaskLength <= ${MASK_LENGTH.most} && ${isAddress(`${inner}.ipAddress`)}`;

/** For an object with `ipAddress` and `networkMaskLength`: the address is neither the first nor the last of the network. */
export function isHostOfItsNetwork(field: string): ValidationRule {
  const size = `${SIZES}[self.networkMaskLength]`;
  const host = `${number('self.ipAddress')} % ${size}`;
  return {
    rule: `!(${isCalculable('self')}) || !(${host} in [0, ${size} - 1])`,
    message: `${field}.ipAddress must be a host's: the first address of a network stands for the network, and the last for all of its hosts`,
    fieldPath: '.ipAddress',
  };
}

/** The private interface as the rules of the spec around it see it. */
const INNER = 'self.privateInterface';
const innerSize = `${SIZES}[${INNER}.networkMaskLength]`;

/** CEL: the address, as a number, is in the private network. */
const isInside = (address: string) => `${address} / ${innerSize} == ${number(`${INNER}.ipAddress`)} / ${innerSize}`;

/** For a spec with `privateInterface`: each next hop is another host in that network. */
export function nextHopsInside(): ValidationRule {
  const hop = number('r.nextHop');
  const isHost = `${isInside(hop)} && r.nextHop != ${INNER}.ipAddress && !(${hop} % ${innerSize} in [0, ${innerSize} - 1])`;
  const isWrong = `${isAddress('r.nextHop')} && !(${isHost})`;
  const has = `has(self.staticRoutes) && has(${INNER}) && ${isCalculable(INNER)}`;
  return {
    rule: `!(${has}) || !self.staticRoutes.exists(r, ${isWrong})`,
    message: 'each nextHop of staticRoutes must be another host in the network of privateInterface',
    messageExpression: `'each nextHop of staticRoutes must be another host in the network of privateInterface, where the gateway itself is ' + ${INNER}.ipAddress`,
    fieldPath: '.staticRoutes',
  };
}

/** For a spec with `privateInterface` and this list: no route leads to the private network itself. */
export function noRouteToPrivateNetwork(list: 'staticRoutes' | 'simRoutes'): ValidationRule {
  const isLength = `int(r.prefix.split('/')[1]) == ${INNER}.networkMaskLength`;
  const isOwn = `r.prefix.matches('^${PREFIX}$') && ${isLength} && ${isInside(number("r.prefix.split('/')[0]"))}`;
  const has = `has(self.${list}) && has(${INNER}) && ${isCalculable(INNER)}`;
  return {
    rule: `!(${has}) || !self.${list}.exists(r, ${isOwn})`,
    message: `${list} prefix must not be the network of privateInterface: the gateway is in that network itself. Remove the route`,
    fieldPath: `.${list}`,
  };
}

/** For a spec with both lists: a network is reached one way. */
export function routesApart(): ValidationRule {
  return {
    rule: '!has(self.staticRoutes) || !has(self.simRoutes) || !self.staticRoutes.exists(r, self.simRoutes.exists(s, s.prefix == r.prefix))',
    message:
      'simRoutes and staticRoutes have the same prefix: a network is reached one way. Remove one of the two routes',
    fieldPath: '.simRoutes',
  };
}

/** A port at the end of a host, where there is one, as a CEL rule; an IPv6 address is no host with a port. */
function hasPort(text: string): string {
  return `!${text}.matches('^([^:]*|.*\\\\]):[0-9]+$') || ${text}.matches(':(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})$')`;
}

/** A host name or address, with or without a port, as CEL rules. */
export function isHost(field: string, example: string): ValidationRule[] {
  return [
    {
      rule: "self.matches('^[^/@?#\\\\s]+$')",
      message: `${field} must be a host name or an address, such as ${example}, without https://, user, path and spaces`,
    },
    { rule: hasPort('self'), message: `${field} has a port that does not exist: write one from 1 to 65535, or none` },
  ];
}

/** The port of a URL of scheme and host, as a CEL rule. */
export function isURLPort(field: string): ValidationRule {
  return {
    rule: hasPort("self.replace('https://', '').replace('http://', '').replace('/', '')"),
    message: `${field} has a port that does not exist: write one from 1 to 65535, or none`,
  };
}

/** A name on one line that shows something, as CEL rules: a block scalar of YAML ends with a line break. */
export function isName(field: string): ValidationRule[] {
  return [
    {
      rule: "!self.matches('[\\\\x00-\\\\x1f\\\\x7f]')",
      message: `${field} must be one line without control characters. A block (|) ends with a line break: write it in quotes`,
    },
    {
      // With the space of Japanese text; of line breaks the other rule speaks.
      rule: "!self.matches('^[ \\u00a0\\u3000]+$')",
      message: `${field} is blank: write a name, or leave it out`,
    },
  ];
}

/** What the service's IDs consist of; none of them leads elsewhere as part of a path. */
export const ID = /^[0-9A-Za-z_-]+$/;

/** An ID as the service gives them, as a CEL rule. */
export function isID(field: string): ValidationRule {
  return {
    rule: `self.matches('${ID.source}')`,
    message: `${field} must be an ID as the service shows it, for example "113300000017"`,
  };
}

/** A name that Kubernetes takes for a Secret; the apiserver is asked for it by a path with the name in it. */
export const isSecretName: ValidationRule = {
  rule: "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
  message: 'name must be that of a Secret: lower-case letters, digits, - and ., with a letter or digit at both ends',
};
