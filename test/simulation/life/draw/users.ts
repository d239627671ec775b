import type { AccountOptions } from '../../../../src/shadow/service/types.ts';
import type { Random } from '../../../../src/shadow/world/random.ts';
import { certificateNamed } from '../../certificates.ts';
import { at, type Json, type JsonObject, mergePatch } from '../json.ts';
import type { Role } from './cast.ts';
import { type Draft, namesOf, presentOf, put } from './draft.ts';
import { accountPlural, bucketSecret, credentialsData, passCodeKey, passCodeOf, tlsSecretName } from './setting.ts';
import { drawSpec, fields, lawful, without } from './specs.ts';
import { CANARY, domains, goodCertificates, iccids, manifest, ref, secret, tlsData } from './vocabulary.ts';

/** What a name that was deleted must wait for at most before somebody creates it anew. Milliseconds. */
const PATIENCE = 120_000;

/** Something that users do in the cluster. */
export const userActs: readonly { readonly weight: number; readonly draw: (draft: Draft) => void }[] = [
  { weight: 14, draw: editField },
  { weight: 5, draw: removeField },
  { weight: 3, draw: editMuch },
  { weight: 3, draw: remove },
  { weight: 3, draw: recreate },
  { weight: 4, draw: create },
  { weight: 3, draw: swapAddresses },
  { weight: 3, draw: moveGateway },
  { weight: 4, draw: annotate },
  { weight: 2, draw: setPolicy },
  { weight: 4, draw: rotateCertificate },
  { weight: 2, draw: rotateSecret },
  { weight: 1, draw: loseSecret },
  { weight: 1, draw: restore },
  { weight: 2, draw: wrongPassCode },
  { weight: 4, draw: accountActs },
];

function around(draft: Draft, { ref: { namespace } }: Role) {
  return {
    gateways: namesOf(draft, 'mobilegateways', namespace),
    sims: namesOf(draft, 'sims', namespace),
  };
}

/** Creates a role that is not there. */
export function createRole(draft: Draft, role: Role): void {
  const { random } = draft;
  const policies: JsonObject = {
    ...(role.plural === 'sims' && random.chance(0.12) && { adoption: random.pick(['IfFound', 'Required', 'Never']) }),
    ...(random.chance(0.1) && { managementPolicy: 'Observe' }),
    ...((role.plural === 'sims' || role.plural === 'mobilegateways') &&
      random.chance(0.2) && { deletionPolicy: random.pick(['Delete', 'Orphan']) }),
  };
  const spec = drawSpec(role.plural, { ...role.fixed, ...policies }, random, around(draft, role));
  draft.present.set(role, { spec, annotations: {} });
  const { namespace, name } = role.ref;
  put(draft, {
    what: 'create',
    ref: role.ref,
    manifest: manifest(role.plural, namespace, name, spec),
    patience: PATIENCE,
  });
}

function change(draft: Draft, role: Role, spec: JsonObject): void {
  const present = draft.present.get(role);
  if (!present) return;
  const next = lawful(role.plural, spec);
  const patch = mergePatch(present.spec, next);
  present.spec = next;
  if (Object.keys(patch).length > 0) put(draft, { what: 'patch', ref: role.ref, patch: { spec: patch } });
}

function anyPresent(draft: Draft): Role | undefined {
  const roles = [...draft.present.keys()];
  return roles.length === 0 ? undefined : draft.random.pick(roles);
}

function editField(draft: Draft): void {
  const role = anyPresent(draft);
  if (!role) return;
  const entries = Object.entries(fields[role.plural] ?? {});
  const [name, draw] = draft.random.pick(entries);
  const value = draw(draft.random, around(draft, role));
  const spec = draft.present.get(role)?.spec ?? {};
  // An address comes with the gateway it is in.
  const needs: JsonObject =
    name === 'ipAddress' && !spec['gatewayRef']
      ? { gatewayRef: { name: around(draft, role).gateways[0] ?? 'gateway-1' } }
      : {};
  if (value !== undefined) change(draft, role, { ...spec, ...needs, [name]: value });
}

/** A field leaves a spec. */
export function removeField(draft: Draft): void {
  const role = anyPresent(draft);
  const spec = role && draft.present.get(role)?.spec;
  if (!role || !spec) return;
  const removable = Object.keys(spec).filter((name) => fields[role.plural]?.[name] !== undefined);
  if (removable.length > 0) change(draft, role, without(spec, draft.random.pick(removable)));
}

function editMuch(draft: Draft): void {
  const role = anyPresent(draft);
  const spec = role && draft.present.get(role)?.spec;
  if (!role || !spec) return;
  const kept = Object.fromEntries(Object.entries(spec).filter(([name]) => fields[role.plural]?.[name] === undefined));
  change(draft, role, drawSpec(role.plural, kept, draft.random, around(draft, role)));
}

function remove(draft: Draft): void {
  const role = anyPresent(draft);
  if (!role) return;
  draft.present.delete(role);
  put(draft, { what: 'delete', ref: role.ref });
}

function recreate(draft: Draft): void {
  const role = anyPresent(draft);
  if (!role) return;
  put(draft, { what: 'delete', ref: role.ref });
  draft.at += draft.random.int(3000);
  createRole(draft, role);
}

function create(draft: Draft): void {
  const absent = draft.cast.filter((role) => !draft.present.has(role));
  if (absent.length > 0) createRole(draft, draft.random.pick(absent));
}

function twoSims(draft: Draft): [Role, Role] | undefined {
  const [first, ...rest] = shuffled(presentOf(draft, 'sims'), draft.random);
  const second = rest.find(({ ref }) => ref.namespace === first?.ref.namespace);
  return first && second ? [first, second] : undefined;
}

function swapAddresses(draft: Draft): void {
  const [one, other] = twoSims(draft) ?? [];
  if (!one || !other) return;
  const [first, second] = [draft.present.get(one)?.spec ?? {}, draft.present.get(other)?.spec ?? {}];
  const gatewayRef: Json | undefined = first['gatewayRef'] ?? second['gatewayRef'];
  if (gatewayRef === undefined) return;
  change(draft, one, { ...first, gatewayRef, ipAddress: second['ipAddress'] ?? '10.0.0.12' });
  draft.at += draft.random.pick([0, 0, 400]);
  change(draft, other, { ...second, gatewayRef, ipAddress: first['ipAddress'] ?? '10.0.0.11' });
}

function moveGateway(draft: Draft): void {
  const [role] = shuffled(presentOf(draft, 'sims'), draft.random);
  const spec = role && draft.present.get(role)?.spec;
  if (!role || !spec) return;
  const others = around(draft, role).gateways.filter((name) => name !== at(spec, 'gatewayRef', 'name'));
  if (others.length > 0) change(draft, role, { ...spec, gatewayRef: { name: draft.random.pick(others) } });
}

/** Annotations, and what undoes them. */
const switches = ['paused', 'paused', 'abandon', 'release-sims'] as const;

function annotate(draft: Draft): void {
  const { random } = draft;
  if (random.chance(0.35)) {
    const until = pauseMore(draft);
    // Somebody goes on meanwhile, who does not know of it.
    draft.at += random.int(until - draft.at);
    return random.chance(0.5) ? editField(draft) : editMuch(draft);
  }
  const role = anyPresent(draft);
  const present = role && draft.present.get(role);
  if (!role || !present) return;
  const name = random.pick([...switches, 'reconcile-at', 'reconnect-at'] as const);
  const isSwitch = name !== 'reconcile-at' && name !== 'reconnect-at';
  const key = `edgeline.dev/${name}`;
  const value = isSwitch ? (present.annotations[key] === undefined ? 'true' : null) : `${draft.at}`;
  present.annotations = value === null ? without(present.annotations, key) : { ...present.annotations, [key]: value };
  put(draft, { what: 'patch', ref: role.ref, patch: { metadata: { annotations: { [key]: value } } } });
  if (isSwitch && value !== null && random.chance(0.8)) {
    present.annotations = without(present.annotations, key);
    const undone = { metadata: { annotations: { [key]: null } } };
    put(draft, { what: 'patch', ref: role.ref, patch: undone }, 1000 + random.int(90_000));
  }
}

/** A whole account or namespace is stopped for a while. */
function pauseMore({ random, drawn, ...draft }: Draft): number {
  const accounts = drawn.accounts.map(({ ref }) => ref);
  const target = random.pick([...accounts, ...drawn.namespaces.map((name) => ref('namespaces', undefined, name))]);
  const value = (paused: string | null) => ({ metadata: { annotations: { 'edgeline.dev/paused': paused } } });
  draft.steps.push({ at: draft.at, what: 'patch', ref: target, patch: value('true') });
  const until = draft.at + 2000 + random.int(90_000);
  draft.steps.push({ at: until, what: 'patch', ref: target, patch: value(null) });
  return until;
}

function setPolicy(draft: Draft): void {
  const role = anyPresent(draft);
  const spec = role && draft.present.get(role)?.spec;
  if (!role || !spec) return;
  const isMade = role.plural === 'sims' || role.plural === 'mobilegateways';
  const name = isMade && draft.random.chance(0.5) ? 'deletionPolicy' : 'managementPolicy';
  const values = name === 'deletionPolicy' ? ['Delete', 'Orphan'] : ['Manage', 'Observe', 'Manage'];
  change(draft, role, spec[name] === undefined ? { ...spec, [name]: draft.random.pick(values) } : without(spec, name));
}

const wrongCertificates = ['a-expired', 'b-expired', 'a-self-signed', 'a-valid-after-two-days', 'a-temporary', 'c-1'];

function rotateCertificate(draft: Draft): void {
  const { random } = draft;
  const namespace = random.pick(draft.drawn.namespaces);
  const domain = random.pick(domains);
  const certificate = random.chance(0.12)
    ? certificateNamed(random.pick(wrongCertificates))
    : random.pick(goodCertificates(domain));
  const [leaf = ''] = certificate.chain.split(/(?<=-----END CERTIFICATE-----\n)/);
  const chain = random.chance(0.1) ? leaf : certificate.chain;
  const name = tlsSecretName(domain);
  const made = secret(namespace, name, tlsData({ chain, key: certificate.key }), 'kubernetes.io/tls');
  put(draft, { what: 'create', ref: ref('secrets', namespace, name), manifest: made, patience: 0 });
}

function rotateSecret(draft: Draft): void {
  const { random } = draft;
  const namespace = random.pick(draft.drawn.namespaces);
  const generation = 2 + random.int(3);
  if (random.chance(0.4)) {
    const made = bucketSecret(namespace, generation);
    return put(draft, { what: 'create', ref: ref('secrets', namespace, 'bucket'), manifest: made, patience: 0 });
  }
  const key = random.pick(['webhook', 'once']);
  const value =
    key === 'webhook' ? `https://chat.example.jp/${CANARY}-hook-${generation}` : `${CANARY}-once-${generation}`;
  const data = { [key]: Buffer.from(value).toString('base64') };
  put(draft, { what: 'patch', ref: ref('secrets', namespace, 'secrets'), patch: { data } });
}

/** A Secret, or a key in it, is gone for a while. */
function loseSecret(draft: Draft): void {
  const { random } = draft;
  const key = random.pick(['webhook', 'once', ...iccids.slice(0, 4).map((iccid) => `code-${iccid.at(-1) ?? ''}`)]);
  const target = ref('secrets', random.pick(draft.drawn.namespaces), 'secrets');
  const { setting } = draft.drawn;
  const original = setting.objects.find(({ ref }) => ref.name === 'secrets' && ref.namespace === target.namespace);
  put(draft, { what: 'patch', ref: target, patch: { data: { [key]: null } } });
  const back = at(original?.manifest, 'data', key);
  if (typeof back !== 'string') return;
  put(draft, { what: 'patch', ref: target, patch: { data: { [key]: back } } }, 2000 + random.int(60_000));
}

function restore(draft: Draft): void {
  const role = anyPresent(draft);
  if (role) put(draft, { what: 'restore', ref: role.ref, withStatus: draft.random.chance(0.5) });
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

/** A pass code is mistyped, and corrected later; nothing is registered meanwhile. */
function wrongPassCode(draft: Draft): void {
  const { random } = draft;
  const iccid = random.pick(iccids);
  const target = ref('secrets', random.pick(draft.drawn.namespaces), 'secrets');
  const code = (text: string) => ({ data: { [passCodeKey(iccid)]: Buffer.from(text).toString('base64') } });
  put(draft, { what: 'patch', ref: target, patch: code(`${CANARY}-wrong`) });
  const role = draft.cast.find((one) => one.fixed['iccid'] === iccid && !draft.present.has(one));
  if (role) createRole(draft, role);
  put(draft, { what: 'patch', ref: target, patch: code(passCodeOf(iccid)) }, 2000 + random.int(60_000));
}

/** Something befalls an account in the cluster. */
function accountActs(draft: Draft): void {
  const { random, drawn } = draft;
  const { ref: account, spec, credentials, opens } = random.pick(drawn.accounts);
  const { namespace = '', name } = credentials;
  const put1 = (to: AccountOptions, later = 0) =>
    put(
      draft,
      { what: 'create', ref: credentials, manifest: secret(namespace, name, credentialsData(to)), patience: 0 },
      later,
    );
  const later = 2000 + random.int(60_000);
  switch (random.int(5)) {
    case 0: {
      // The token is changed as accounts.md says: a second one of the same account, then the first is revoked.
      const world = opens.sameAs ?? opens.name;
      const second = drawn.setting.credentials.find((one) => one !== opens && (one.sameAs ?? one.name) === world);
      if (second) put1(second);
      return;
    }
    case 1: {
      const other = drawn.setting.credentials.find((one) => (one.sameAs ?? one.name) !== (opens.sameAs ?? opens.name));
      put1(other ?? { ...opens, accessTokenSecret: `${CANARY}-mistyped` });
      return put1(opens, later);
    }
    case 2:
      put(draft, { what: 'delete', ref: credentials });
      return put1(opens, later);
    case 3: {
      const made = manifest(accountPlural(account), account.namespace, account.name, spec);
      put(draft, { what: 'delete', ref: account });
      return put(draft, { what: 'create', ref: account, manifest: made, patience: 3_600_000 }, 500);
    }
    default: {
      const limits = { limits: { cloudRequestsPerSecond: random.pick([1, 5, 20]) } };
      put(draft, { what: 'patch', ref: account, patch: { spec: limits } });
    }
  }
}
