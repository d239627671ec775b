import { domainToASCII } from 'node:url';
import type { Site } from '../../cloud/site/types.ts';

/** A domain in the one form in which domains are compared: ASCII, lower case, without the dot at the end. */
export function toASCII(domain: string): string {
  const plain = domain.trim().replace(/\.$/, '').toLowerCase();
  return domainToASCII(plain) || plain;
}

/** The names a site answers to, each once (`api.md`, Web acceleration site). */
export function namesOf(site: Pick<Site, 'domain' | 'asciiDomain' | 'subdomain'>): string[] {
  const names = [site.domain, site.asciiDomain, site.subdomain].filter((name) => name !== '');
  return [...new Set(names.map(toASCII))];
}
