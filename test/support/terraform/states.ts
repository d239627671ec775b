import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoot, type Issued, issue } from '../certificates.ts';

const placeholders = { '@CHAIN@': 'chain', '@KEY@': 'key', '@FINGERPRINT@': 'fingerprint' } as const;

/** A certificate for the sites in the states. */
export async function siteCertificate(): Promise<Issued> {
  return issue(await createRoot(), ['shop.example.jp', 'www.example.jp']);
}

/** The text of a state in `states`, with a certificate in it. */
export function stateOf(release: string, certificate: Issued): string {
  const text = readFileSync(join(import.meta.dirname, 'states', `release-${release}.json`), 'utf8');
  return Object.entries(placeholders).reduce(
    (all, [placeholder, field]) => all.replaceAll(`"${placeholder}"`, JSON.stringify(certificate[field])),
    text,
  );
}
