import { isIP, isIPv4 } from 'node:net';
import { badRequest } from '../api-error.ts';

/**
 * Checks an access control list and gives it as stored: a rule a line, without a newline at the end. `all` stands in the
 * last line only (`api.md`, ACL).
 */
export function storedACL(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  for (const [index, line] of lines.entries()) {
    const where = `ACL line ${index + 1}`;
    const [, target = ''] = /^(?:deny|allow) (\S+)$/.exec(line) ?? [];
    if (target === '') throw badRequest(`${where}: write deny or allow, one space, and an address, a network or all`);
    if (target === 'all') {
      if (index < lines.length - 1) throw badRequest(`${where}: write "all" in the last line only`);
    } else if (!isAddressOrNetwork(target)) {
      throw badRequest(`${where}: ${target} is neither an address nor a network`);
    }
  }
  return lines.join('\n');
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', length, rest] = text.split('/');
  if (isIP(address) === 0 || rest !== undefined) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) <= (isIPv4(address) ? 32 : 128);
}
