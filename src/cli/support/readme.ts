import { timestamp } from '../../kubernetes/objects.ts';
import { markdownCell } from '../output.ts';
import type { Bundle } from './collect.ts';
import { scrubUnknown } from './scrub-text.ts';

/** What the bundle says of itself, for whoever opens it and whoever is about to send it. Pure. */
export function readmeOf({ files, missing }: Bundle, from: { server: string; version: string; now: number }): string {
  return [
    '# Edgeline support bundle',
    '',
    `Collected at ${timestamp(from.now)} by edgeline ${from.version} from ${from.server}.`,
    '',
    'No Secret was read. What looks like a secret was taken out of everything else (`(removed)`). Names, IDs, ICCIDs, addresses',
    'and domains are in it: look through it before you give it to anyone.',
    '',
    'Below `operator/` is a folder for each namespace that a Lease `edgeline-holder` names. Whoever may write such a Lease in a namespace',
    'of theirs chooses that, and what pods there log: the operator is the one that you installed.',
    '',
    '## What is in it',
    '',
    ...files.map(({ path }) => `- ${path}`),
    '',
    '## What could not be read',
    '',
    ...(missing.length === 0
      ? ['Nothing.']
      : missing.map(({ what, why }) => `- ${markdownCell(what)}: ${markdownCell(scrubUnknown(why))}`)),
    '',
  ].join('\n');
}
