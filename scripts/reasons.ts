import { readFileSync } from 'node:fs';
import type { ManagedKindName } from '../src/reconcile/kind-names.ts';

/** A reason of a condition or an event, from the comment beside it. */
export interface DocumentedReason {
  readonly reason: string;
  readonly meaning: string;
  /** What a person can do. */
  readonly todo: string;
}

/** Where each managed kind keeps its reasons; a kind without does not compile. */
const reasonsOf: Readonly<Record<ManagedKindName, string>> = {
  Sim: 'src/kinds/sim/reasons.ts',
  MobileGateway: 'src/kinds/mobile-gateway/reasons.ts',
  WebAccelSite: 'src/kinds/web-accel-site/reasons.ts',
  SiteCertificate: 'src/kinds/site-certificate/reasons.ts',
};

/** Where reasons are kept, what to call them, and whose conditions have them: of all kinds, where none is named. */
export const reasonSources: readonly { readonly title: string; readonly file: string; readonly kind?: string }[] = [
  { title: 'All managed kinds', file: 'src/reconcile/verdict.ts' },
  { title: 'Trouble with the service, all kinds', file: 'src/reconcile/failure-reason.ts' },
  {
    title: 'CloudAccount, ClusterCloudAccount, and who uses one',
    file: 'src/kinds/cloud-account/reasons.ts',
    kind: 'Account',
  },
  ...Object.entries(reasonsOf).map(([kind, file]) => ({ title: kind, file, kind })),
];

/** The reasons of a file. Throws where a comment does not say what to do. */
export function reasonsIn(file: string): DocumentedReason[] {
  return meaningsIn(file).map(({ reason, meaning: whole }) => {
    const [meaning = '', todo] = whole.split(' Do: ');
    if (todo === undefined) throw new Error(`${file}: say in the comment of ${reason} what to do: "… Do: …"`);
    return { reason, meaning, todo };
  });
}

/** The entries of a table of constants, each with the comment before it on one line. Throws where one has no comment. */
export function meaningsIn(file: string): { readonly reason: string; readonly meaning: string }[] {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/\/\*\*\s([^*]+(?:\*(?!\/)[^*]*)*?)\s*\*\/\n\s+(\w+): '\w+'/g)].map(
    ([, comment = '', reason = '']) => ({
      reason,
      meaning: comment
        .replaceAll(/\s+\*?\s*/g, ' ')
        .replaceAll('|', '\\|')
        .trim(),
    }),
  );
  const named = [...text.matchAll(/^ {2}(\w+): '\1',$/gm)].map(([, reason = '']) => reason);
  const silent = named.filter((reason) => !found.some((one) => one.reason === reason));
  if (silent.length > 0) throw new Error(`${file}: write a comment before ${silent.join(', ')}`);
  return found;
}
