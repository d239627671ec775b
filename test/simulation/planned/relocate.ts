import { keyOf, type ObjectJson, parseKey } from '../../../src/plan/objects.ts';
import { createIntermediate, createRoot, issue } from '../../support/certificates.ts';
import { certificates, epoch } from '../certificates.ts';
import { OLD } from '../life/draw/seed.ts';
import { domains } from '../life/draw/vocabulary.ts';
import type { ObjectSeeds } from '../life/setting.ts';
import type { DrawnState } from './draw.ts';

const DAY = 86_400_000;

/** A drawn state as one of many in a real cluster, where none may be in another's way, and the time is what it is. */
export interface RelocatedState {
  readonly namespaces: readonly string[];
  /** Secrets and accounts. */
  readonly objects: readonly ObjectJson[];
  readonly seed: Readonly<Record<string, ObjectSeeds>>;
  readonly passCodes: Readonly<Record<string, string>>;
  readonly present: readonly ObjectJson[];
  readonly manifests: readonly ObjectJson[];
  readonly prune: ReadonlySet<string>;
}

/** `digits`: three, which only this state has. `now`: milliseconds since the Unix epoch. */
export async function relocated(
  state: DrawnState,
  { digits, now }: { readonly digits: string; readonly now: number },
): Promise<RelocatedState> {
  const { setting, present, manifests, prune } = state;
  const drawn = setting.objects.flatMap(({ ref }) => (ref.plural === 'namespaces' ? [ref.name] : []));
  const suffix = `${digits}-${now.toString(36)}`;
  const placeOf = (name: string) => (drawn.includes(name) ? `${name}-${suffix}` : name);
  const domainOf = (domain: string) => domain.replace(/(example\.)?jp$/, (end) => `s${digits}.${end}`);
  const renewed = await renewedCertificates(JSON.stringify(setting), now, domainOf);
  const createdAt = new Date(now - (1 + Number(digits)) * DAY).toISOString();
  const iccidOf = (text: string) => text.replace(/^89810400000\d{3}(\d{5})$/, `89810400000${digits}$1`);

  function textOf(text: string): string {
    if (text === OLD) return createdAt;
    if (domains.some((domain) => domain === text)) return domainOf(text);
    return renewed.get(text) ?? iccidOf(text).replace(/^1133(2\d{7})$/, `1${digits}$1`);
  }

  function moved<T>(value: T, member = ''): T {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the same shape
    const made = (other: unknown) => other as T;
    if (typeof value === 'string')
      return made(member === 'namespace' || member === 'secretNamespace' ? placeOf(value) : textOf(value));
    if (Array.isArray(value)) return made(value.map((one: unknown) => moved(one)));
    if (typeof value !== 'object' || value === null) return value;
    return made(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, moved<unknown>(one, name)])));
  }

  return {
    namespaces: drawn.map(placeOf),
    objects: setting.objects.flatMap(({ ref, manifest }) => (ref.plural === 'namespaces' ? [] : [moved(manifest)])),
    seed: moved(setting.seed),
    passCodes: Object.fromEntries(Object.entries(setting.passCodes).map(([iccid, code]) => [iccidOf(iccid), code])),
    present: present.map((one) => moved(one)),
    manifests: manifests.map((one) => moved(one)),
    prune: new Set(
      [...prune].map((key) => {
        const { plural, namespace, name } = parseKey(key);
        return keyOf(plural, placeOf(namespace), name);
      }),
    ),
  };
}

/** By those of simulated lives, as text and as Secrets hold it: certificates for other domains, alike in how long they are good. */
async function renewedCertificates(
  drawn: string,
  now: number,
  domainOf: (domain: string) => string,
): Promise<Map<string, string>> {
  const issuer = await createIntermediate(await createRoot());
  const renewed = new Map<string, string>();
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  for (const { chain, key, domains: names, notBefore, notAfter } of certificates) {
    const isDrawn = drawn.includes(base64(chain)) || drawn.includes(JSON.stringify(chain).slice(1, -1));
    if (!isDrawn) continue;
    const moment = { notBefore: now + (notBefore - epoch), notAfter: now + (notAfter - epoch) };
    const issued = await issue(issuer, names.map(domainOf), moment);
    for (const part of [
      { old: chain, text: issued.chain },
      { old: key, text: issued.key },
    ]) {
      renewed.set(part.old, part.text);
      renewed.set(base64(part.old), base64(part.text));
    }
  }
  return renewed;
}
