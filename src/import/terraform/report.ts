import { oneLine, quoted } from './address.ts';
import type { Conversion, Finding } from './result.ts';
import type { State } from './state.ts';

/** What a person is told beside the manifests. No value of the state is in it but IDs at the service. */
export function reportOf(
  conversion: Conversion,
  options: {
    readonly from: string;
    readonly state: Pick<State, 'terraformVersion'>;
    /** Where the Secrets went; undefined: nowhere, and they are listed. */
    readonly secretsFile: string | undefined;
    /** Where the commands went; undefined: they are listed. */
    readonly stateRmFile: string | undefined;
  },
): string {
  const { counts, manifests } = conversion;
  const by =
    options.state.terraformVersion === undefined ? '' : `, written by version ${options.state.terraformVersion}`;
  const kinds = [...Map.groupBy(manifests, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length] as const);
  return [
    `${options.from}: ${counts.instances} ${counts.instances === 1 ? 'resource' : 'resources'}${by}.`,
    `Carried over: ${listed(kinds) || 'nothing'}.`,
    ...leftOut(conversion),
    ...findingsText(conversion.findings),
    ...secretsText(conversion, options.secretsFile),
    ...stateRmText(conversion, options.stateRmFile),
    '',
  ]
    .map(oneLine)
    .join('\n');
}

function leftOut({ counts }: Conversion): string[] {
  const { data, otherTypes, otherProviders, aliases } = counts;
  return [
    ...(data > 0 ? [`Not looked at: data sources ${data}.`] : []),
    ...(Object.keys(otherTypes).length > 0 ? [`Edgeline has no kinds for: ${byName(otherTypes)}.`] : []),
    ...(Object.keys(otherProviders).length > 0 ? [`Of other providers: ${byName(otherProviders)}.`] : []),
    ...(aliases.length > 1
      ? [
          `The resources were made with ${aliases.length} configurations of the provider: ${aliases.map((alias) => alias || 'the one without alias').join(', ')}. If these are several accounts, name each with --account.`,
        ]
      : []),
  ];
}

/** What is not carried over, with the same said once. */
export function findingsText(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const same = Map.groupBy(findings, ({ attribute = '', why, advice }) => [attribute, why, advice].join('\n'));
  return [
    '',
    'Not carried over:',
    ...[...same.values()].flatMap((all) => {
      const [first] = all;
      const what = first?.attribute === undefined ? '' : `${first.attribute}: `;
      return [`- ${what}${first?.why}.`, `  ${first?.advice}`, ...all.map(({ address }) => `    ${address}`)];
    }),
  ];
}

function secretsText({ secrets }: Conversion, file: string | undefined): string[] {
  if (secrets.length === 0) {
    return file === undefined ? [] : ['', `No Secrets are needed, so ${file} was not written.`];
  }
  if (file !== undefined) return ['', `Secrets: ${secrets.length} in ${file}, readable for you alone.`];
  return [
    '',
    'Secrets the manifests refer to, to be made before them; --secrets FILE writes them:',
    ...secrets.map(({ name, values }) => `- ${name}: ${Object.keys(values).join(', ')}`),
  ];
}

function stateRmText({ released }: Conversion, file: string | undefined): string[] {
  if (released.length === 0) return [];
  if (file !== undefined) return ['', `Once everything is Ready, ${file} has Terraform forget it.`];
  return [
    '',
    'Once everything is Ready, have Terraform forget it, and remove its blocks from the configuration:',
    ...released.map((address) => `terraform state rm ${quoted(address)}`),
  ];
}

function listed(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([name, count]) => `${name} ${count}`).join(', ');
}

function byName(counts: Readonly<Record<string, number>>): string {
  return listed(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
