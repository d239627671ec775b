import type { JsonObject } from '../../json.ts';
import type { Act } from '../../script.ts';
import type { Role } from '../cast.ts';
import { passCodeKey, tlsSecretName } from '../setting.ts';
import { drawSpec, lawful } from '../specs.ts';
import { domains, iccids, type ManagedPlural, manifest, ref } from '../vocabulary.ts';
import type { Story } from './story.ts';

/** Nothing is wrong, and all comes at once: whoever waits for another goes on as soon as that one is there. */
export const atOnce: Story = {
  name: 'at once',
  wishes: () => ({ namespaces: 1, isTight: false, setting: { replicas: 1, leaderElect: false, trouble: 60_000 } }),
  cast({ namespaces: [namespace = ''] }) {
    const sites = domains.flatMap((domain, index): Role[] => [
      role('webaccelsites', `site-${index}`, { domain }),
      role('sitecertificates', `certificate-${index}`, {
        siteRef: { name: `site-${index}` },
        secretRef: { name: tlsSecretName(domain) },
      }),
    ]);
    const gateways = [1, 2].map((index) => role('mobilegateways', `gateway-${index}`, { zone: 'is1a', planID: 2 }));
    const sims = iccids.slice(0, 4).map((iccid, index) =>
      role('sims', `sim-${index + 1}`, {
        iccid,
        passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) },
        gatewayRef: { name: `gateway-${1 + (index % 2)}` },
      }),
    );
    return [...sites, ...gateways, ...sims];

    function role(plural: ManagedPlural, name: string, fixed: JsonObject): Role {
      return { ref: ref(plural, namespace, name), plural, fixed, world: 'east' };
    }
  },
  arrives: true,
  tell() {},
  encore({ random, cast }) {
    const around = {
      gateways: cast.filter(({ plural }) => plural === 'mobilegateways').map(({ ref: { name } }) => name),
      sims: cast.filter(({ plural }) => plural === 'sims').map(({ ref: { name } }) => name),
    };
    const creations = cast.map((role): Act => {
      const { namespace, name } = role.ref;
      const { gatewayRef: _, ...drawn } = drawSpec(role.plural, {}, random, around);
      const spec = lawful(role.plural, { ...drawn, ...role.fixed });
      return { what: 'create', ref: role.ref, manifest: manifest(role.plural, namespace, name, spec), patience: 0 };
    });
    const [act, ...also] = creations;
    return act ? [{ act, also, within: 240_000, why: 'what waits for another goes on at once' }] : [];
  },
  isAlone: true,
};
