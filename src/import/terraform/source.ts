import { ID } from '../../kinds/common/rules.ts';
import { addressOf, providerOf, wordsOf } from './address.ts';
import { type Attributes, attributesOf } from './attributes.ts';
import type { Counts, Finding } from './result.ts';
import type { State, StateInstance, StateResource } from './state.ts';

/** The types that concern what Edgeline manages, in every release 2.x of the provider that has them. */
const types = [
  'sakuracloud_sim',
  'sakuracloud_mobile_gateway',
  'sakuracloud_webaccel',
  'sakuracloud_webaccel_acl',
  'sakuracloud_webaccel_activation',
  'sakuracloud_webaccel_certificate',
] as const;
export type SourceType = (typeof types)[number];

/** What only release 1.x of the provider has: types, and attributes of types that are still there. */
const OLD_TYPES: ReadonlySet<string> = new Set([
  'sakuracloud_mobile_gateway_sim_route',
  'sakuracloud_mobile_gateway_static_route',
]);
const OLD_ATTRIBUTES: Readonly<Partial<Record<SourceType, readonly string[]>>> = {
  sakuracloud_sim: ['ipaddress'],
  sakuracloud_mobile_gateway: ['public_ipaddress', 'dns_server1', 'sim_ids'],
};
const PROVIDER = 'sakuracloud';
/** Of every type here, in every release 2.x. */
const SCHEMA_VERSION = 0;

const updateProvider =
  'Let release 2.36.1 of the provider write the state (terraform init -upgrade, terraform apply -refresh-only), and run this again.';

/** One resource of the service in a state. */
export interface Source {
  readonly address: string;
  readonly type: SourceType;
  readonly id: string;
  readonly attributes: Attributes;
  /** What its name is made of. */
  readonly words: readonly string[];
  readonly alias: string | undefined;
}

export interface Sources {
  readonly all: readonly Source[];
  readonly findings: readonly Finding[];
  readonly counts: Counts;
}

/** Sorts out what is in a state: what can be carried over, what would be and can't, and what is only counted. Pure. */
export function sourcesOf(state: State): Sources {
  const all: Source[] = [];
  const findings: Finding[] = [];
  const otherTypes = new Map<string, number>();
  const otherProviders = new Map<string, number>();
  const aliases = new Set<string>();
  const known = new Map<string, string>();
  let data = 0;
  let instances = 0;
  for (const resource of state.resources) {
    const found = resource.instances ?? [];
    const provider = providerOf(resource.provider);
    instances += found.length;
    if (resource.mode !== 'managed') data += found.length;
    else if (provider.name !== PROVIDER) count(otherProviders, provider.name, found.length);
    else if (!isKnown(resource.type) && !OLD_TYPES.has(resource.type)) count(otherTypes, resource.type, found.length);
    else {
      for (const instance of found) {
        const read = sourceOf(resource, instance, provider.alias);
        if ('why' in read) {
          findings.push(read);
          continue;
        }
        const other = known.get(`${read.type} ${read.id}`);
        if (other !== undefined) {
          findings.push({
            address: read.address,
            why: `${other} is the same resource of the service`,
            advice: 'Nothing is lost: remove this address from the state, too (terraform state rm).',
          });
          continue;
        }
        known.set(`${read.type} ${read.id}`, read.address);
        aliases.add(provider.alias ?? '');
        all.push(read);
      }
    }
  }
  const others = { otherTypes: Object.fromEntries(otherTypes), otherProviders: Object.fromEntries(otherProviders) };
  return { all, findings, counts: { instances, data, ...others, aliases: [...aliases].sort() } };
}

function isKnown(type: string): type is SourceType {
  return types.some((one) => one === type);
}

function count(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function sourceOf(resource: StateResource, instance: StateInstance, alias: string | undefined): Source | Finding {
  const address = addressOf(resource, instance);
  const refuse = (why: string, advice: string): Finding => ({ address, why, advice });
  const { type } = resource;
  if (instance.deposed) {
    return refuse(
      'it is deposed: Terraform means to delete what it has replaced',
      'Let terraform apply delete it, or look at the service whether it is still needed.',
    );
  }
  if (instance.status === 'tainted') {
    return refuse(
      'it is tainted: Terraform means to replace it',
      'If it works, terraform untaint takes that back; then run this again.',
    );
  }
  const { attributes } = instance;
  const isOld = isKnown(type) && OLD_ATTRIBUTES[type]?.some((name) => name in (attributes ?? {}));
  if (!isKnown(type) || isOld) return refuse('release 1 of the provider wrote it', updateProvider);
  if (!attributes) return refuse('Terraform 0.11 wrote it, and nothing has read it since', updateProvider);
  if ((instance.schema_version ?? SCHEMA_VERSION) !== SCHEMA_VERSION) {
    return refuse(
      `it has schema version ${instance.schema_version}, which no release 2 of the provider up to 2.36.1 writes`,
      'Use a newer Edgeline.',
    );
  }
  const own = attributesOf(attributes);
  const id = own.text('id');
  if (id === undefined) return refuse('it has no ID, so it is not known what it is', updateProvider);
  if (![id, own.text('site_id') ?? id].every((one) => ID.test(one)))
    return refuse('its ID is none that the service gives', 'Look at the state: somebody has changed it.');
  own.pass('timeouts');
  return { address, type, id, attributes: own, words: wordsOf(resource, instance), alias };
}
