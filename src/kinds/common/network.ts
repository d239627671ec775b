/** An interface in a private IPv4 network. */
export interface PrivateInterface {
  readonly ipAddress: string;
  readonly networkMaskLength: number;
}

/** What an address is to a network: one of its hosts, one that no host can have there, or none of it. */
export type Place = 'host' | 'first' | 'last' | 'own' | 'outside';

/** Where an IPv4 address is, seen from an interface. Pure; both are well-formed. */
export function placeIn(address: string, { ipAddress, networkMaskLength }: PrivateInterface): Place {
  const size = 2 ** (32 - networkMaskLength);
  const number = numberOf(address);
  if (Math.floor(number / size) !== Math.floor(numberOf(ipAddress) / size)) return 'outside';
  if (address === ipAddress) return 'own';
  if (number % size === 0) return 'first';
  return number % size === size - 1 ? 'last' : 'host';
}

/** Whether no SIM can have an address there; of one outside the service decides. */
export function isUnusable(place: Place): boolean {
  return place !== 'host' && place !== 'outside';
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

/** The network of an interface, as CIDR. */
export function networkOf({ ipAddress, networkMaskLength }: PrivateInterface): string {
  const size = 2 ** (32 - networkMaskLength);
  const first = numberOf(ipAddress) - (numberOf(ipAddress) % size);
  const octets = [16_777_216, 65_536, 256, 1].map((weight) => Math.floor(first / weight) % 256);
  return `${octets.join('.')}/${networkMaskLength}`;
}
