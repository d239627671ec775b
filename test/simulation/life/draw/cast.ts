import type { Random } from '../../../../src/shadow/world/random.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Ref } from '../script.ts';
import { gatewayPlace, seededID, sitePlace } from './seed.ts';
import { type DrawnSetting, passCodeKey, tlsSecretName } from './setting.ts';
import { domains, iccids, type ManagedPlural, ref, zones } from './vocabulary.ts';

/** A resource that may come into being: what names it never changes. */
export interface Role {
  readonly ref: Ref;
  readonly plural: ManagedPlural;
  /** The members of the spec that say what is meant. */
  readonly fixed: JsonObject;
  /** What the account it uses is called at the service. */
  readonly world: string;
}

/** Draws the resources of a life: few, and near one another. */
export function drawCast(drawn: DrawnSetting, random: Random): Role[] {
  const roles: Role[] = [];
  const used = new Set<string>();
  for (const namespace of drawn.namespaces) {
    const choices = drawn.accountsOf(namespace);
    const byDefault = choices.find(({ isDefault }) => isDefault);
    const most = drawn.namespaces.length > 1 ? 5 : 8;
    const gateways = random.pick([0, 1, 1, 2]);
    const sims = 1 + random.int(Math.min(5, most - gateways));
    const sites = random.pick([0, 1, 1, 2]);
    for (let index = 0; index < gateways; index++) add('mobilegateways', `gateway-${index + 1}`, gateway(index));
    for (let index = 0; index < sims; index++) add('sims', `sim-${index + 1}`, sim());
    for (let index = 0; index < sites; index++) {
      const domain = free('domain', domains);
      if (domain === undefined) continue;
      const site = add('webaccelsites', `site-${index + 1}`, (world) =>
        random.chance(0.15)
          ? { siteID: seededID(world, sitePlace(domains.indexOf(domain))) }
          : { domain: world === 'east' ? domain : `${world}.${domain}` },
      );
      if (random.chance(0.75)) {
        add(
          'sitecertificates',
          `certificate-${index + 1}`,
          (world) => ({
            ...(random.chance(0.75)
              ? { siteRef: { name: site.ref.name } }
              : { siteID: seededID(world, sitePlace(domains.indexOf(domain))) }),
            secretRef: { name: tlsSecretName(domain) },
          }),
          site.world,
        );
      }
    }

    function add(plural: ManagedPlural, name: string, fixed: (world: string) => JsonObject, sameWorld?: string): Role {
      const fitting = choices.filter(({ account }) => sameWorld === undefined || worldOf(account.opens) === sameWorld);
      const other = fitting.length > 0 && random.chance(0.25) ? random.pick(fitting) : undefined;
      const choice = other ?? byDefault ?? fitting[0];
      const world = choice ? worldOf(choice.account.opens) : 'east';
      const accountRef: JsonObject =
        choice && (!choice.isDefault || random.chance(0.1))
          ? {
              accountRef: {
                kind: choice.account.ref.namespace === undefined ? 'ClusterCloudAccount' : 'CloudAccount',
                name: choice.account.ref.name,
              },
            }
          : {};
      const role: Role = {
        ref: ref(plural, namespace, name),
        plural,
        fixed: { ...accountRef, ...fixed(world) },
        world,
      };
      roles.push(role);
      return role;
    }
  }
  return roles;

  /** One that no other resource has; now and then one that another has. */
  function free<T extends string>(what: string, from: readonly T[]): T | undefined {
    const unused = from.filter((one) => !used.has(`${what} ${one}`));
    const chosen = random.chance(0.06) || unused.length === 0 ? random.pick(from) : random.pick(unused);
    used.add(`${what} ${chosen}`);
    return chosen;
  }

  function sim(): () => JsonObject {
    const iccid = free('iccid', iccids) ?? '';
    const hasPassCode = random.chance(0.93);
    return () => ({
      iccid,
      ...(hasPassCode && { passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) } }),
    });
  }

  function gateway(index: number): (world: string) => JsonObject {
    return (world) => {
      const zone: Json = random.pick(zones);
      const isOld = random.chance(0.25);
      return {
        zone,
        ...(isOld ? { resourceID: seededID(world, gatewayPlace(index)) } : random.chance(0.95) && { planID: 2 }),
      };
    };
  }
}

function worldOf({ name, sameAs }: { readonly name: string; readonly sameAs?: string }): string {
  return sameAs ?? name;
}
