import { edgelineAPI } from '../../kinds/common/schema.ts';
import { kindDefinitions } from '../../kinds/index.ts';
import { yamlOf } from '../../yaml.ts';
import { oneLine, quoted } from './address.ts';
import type { Conversion, Manifest, SecretManifest } from './result.ts';

/** What is said of where manifests come from. */
interface Rendering {
  readonly from: string;
  readonly namespace: string | undefined;
  /** The command that made them. */
  readonly by?: string;
}

const head = ({ from, by = 'edgeline import terraform' }: Rendering) => comment(`From ${from}, by ${by}.`);

/** Manifests as YAML, each below what it comes from. `from` names the state. */
export function renderManifests(manifests: readonly Manifest[], options: Rendering): string {
  const documents = manifests.map(({ kind, name, spec, from }) =>
    documentOf(from, {
      apiVersion: `${edgelineAPI.group}/${edgelineAPI.version}`,
      kind,
      metadata: metadataOf(name, options.namespace),
      spec,
    }),
  );
  return head(options) + documents.join('');
}

/** The same in files of one kind each, by name. */
export function renderFiles(manifests: readonly Manifest[], options: Rendering): Map<string, string> {
  return new Map(
    kindDefinitions.flatMap(({ kind, plural }) => {
      const own = manifests.filter((manifest) => manifest.kind === kind);
      return own.length === 0 ? [] : [[`${plural}.yaml`, renderManifests(own, options)] as const];
    }),
  );
}

/** Secrets as YAML, with their values: for a file that nobody else reads. */
export function renderSecrets(secrets: readonly SecretManifest[], options: Rendering): string {
  const documents = secrets.map(({ name, type, values }) =>
    documentOf([], {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadataOf(name, options.namespace),
      type,
      stringData: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.reveal()])),
    }),
  );
  return `${head(options)}# These are secrets: seal or encrypt them before they go anywhere, and remove this file.\n${documents.join('')}`;
}

/** Commands that have Terraform forget what was carried over, without touching it at the service. */
export function renderStateRm({ released }: Pick<Conversion, 'released'>): string {
  return [
    '#!/bin/sh',
    '# Has Terraform forget what Edgeline looks after now; at the service nothing changes. Run it where terraform plan',
    '# works, once everything is Ready, and remove the blocks from the configuration in the same change: what has a block',
    '# and is not in the state, Terraform would make again.',
    'set -e',
    ...released.map((address) => `terraform state rm ${quoted(address)}`),
    '',
  ].join('\n');
}

function metadataOf(name: string, namespace: string | undefined): object {
  return { name, ...(namespace !== undefined && { namespace }) };
}

function documentOf(from: readonly string[], object: object): string {
  const comments = from.map(comment).join('');
  // kubectl reads YAML 1.1, in which no and 1_000 are no texts.
  return `---\n${comments}${yamlOf(object, 'yaml-1.1')}`;
}

/** Whatever is in the text, it stays one line. */
function comment(text: string): string {
  return `# ${oneLine(text)}\n`;
}
