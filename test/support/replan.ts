import type { DialectName } from '../../src/cloud/dialect.ts';
import type { TrafficMonitoring } from '../../src/cloud/gateway/types.ts';
import type { Exported } from '../../src/export/convert.ts';
import type { Picture } from '../../src/export/picture.ts';
import type { ManifestOf } from '../../src/import/terraform/result.ts';
import type { Monitoring } from '../../src/kinds/mobile-gateway/facts.ts';
import { planGateway } from '../../src/kinds/mobile-gateway/plan.ts';
import { observe } from '../../src/kinds/sim/observe.ts';
import { planSim } from '../../src/kinds/sim/plan.ts';
import { toIdentity, toSettings } from '../../src/kinds/web-accel-site/observe.ts';
import { planSite } from '../../src/kinds/web-accel-site/plan.ts';
import type { ManagedKindName } from '../../src/reconcile/kind-names.ts';
import { SecretValue } from '../../src/reconcile/secret-value.ts';

/** What a plan would do: the calls, and the differences it shows. */
export interface Outcome {
  readonly manifest: string;
  readonly steps: readonly string[];
  readonly drift: readonly string[];
}

/** What the operator itself would plan for exported manifests, where the service still is as it was looked at. */
export function replan({ manifests }: Pick<Exported, 'manifests'>, picture: Picture, dialect: DialectName): Outcome[] {
  const taken = { applied: {}, pending: [], ownership: 'Adopted', dialect, now: 0 } as const;
  const byName = <K extends ManagedKindName>(kind: K, name: string) =>
    manifests.find((one): one is ManifestOf<K> & (typeof manifests)[number] => one.kind === kind && one.name === name);
  const gatewayNamed = (name: string | undefined) => {
    const id = name === undefined ? undefined : byName('MobileGateway', name)?.spec.resourceID;
    return picture.gateways.find(({ gateway }) => gateway.id === id);
  };

  return manifests.flatMap((manifest): Outcome[] => {
    const shown = ({ steps, drift }: { steps: readonly { do: string }[]; drift: readonly { field: string }[] }) => [
      {
        manifest: `${manifest.kind}/${manifest.name}`,
        steps: steps.map((one) => one.do),
        drift: drift.map(({ field }) => field),
      },
    ];
    if (manifest.kind === 'Sim') {
      const { spec, name } = manifest;
      const seen = picture.sims.find(({ item }) => item.id === spec.resourceID);
      if (!seen) throw new Error(`there is no SIM ${spec.resourceID}`);
      const at = picture.gateways.find(({ reading }) =>
        reading?.sims.some(({ resourceID }) => resourceID === seen.item.id),
      );
      const addressed = (one: typeof at) =>
        one && { id: one.gateway.id, zone: one.zone, inner: one.gateway.settings?.privateInterface ?? undefined };
      const observed = observe(seen.item, addressed(at), seen.carriers);
      const gateway = addressed(gatewayNamed(spec.gatewayRef?.name));
      const desired = { defaultName: name, spec, gateway, passCode: undefined };
      return shown(planSim({ ...taken, desired, observed, takesOver: true }));
    }
    if (manifest.kind === 'MobileGateway') {
      const { spec, name } = manifest;
      const seen = picture.gateways.find(({ gateway }) => gateway.id === spec.resourceID);
      if (!seen?.reading) throw new Error(`the gateway ${spec.resourceID} was not looked at`);
      const { simRoutes, trafficMonitoring: monitoring, sims, dns } = seen.reading;
      const url = monitoring?.chatWebhookURL ?? '';
      const resolved = (spec.simRoutes ?? []).map(({ prefix, simRef }) => ({
        prefix,
        resourceID: byName('Sim', simRef.name)?.spec.resourceID ?? '',
      }));
      return shown(
        planGateway({
          ...taken,
          marks: {},
          observed: seen.gateway,
          details: {
            simRoutes: simRoutes.map(({ prefix, resourceID }) => ({ prefix, resourceID })),
            trafficMonitoring: monitoring ? withoutURL(monitoring, url) : 'unset',
            dns: dialect === 'Extended' ? (dns ?? 'unset') : undefined,
            sims: sims.map(({ resourceID, iccid, ip }) => ({ id: resourceID, iccid, ip, isUp: false })),
          },
          desired: {
            name,
            spec,
            chatWebhook: spec.trafficMonitoring?.chatWebhookSecretRef && { value: new SecretValue(url), digest: url },
            simRoutes: { resolved, waiting: [] },
            releasesSims: false,
            namedBy: [],
          },
        }),
      );
    }
    if (manifest.kind === 'WebAccelSite') {
      const { spec } = manifest;
      const seen = picture.sites.find(({ site }) => site.id === spec.siteID);
      if (!seen?.detail) throw new Error(`the site ${spec.siteID} was not looked at`);
      const observed = {
        ...toIdentity(seen.detail),
        listed: true,
        settings: toSettings(seen.detail, dialect),
        accessControl: seen.accessControl,
      };
      const desired = { spec, credentials: undefined, oneTimeURLSecret: undefined };
      return shown(planSite({ ...taken, desired, observed, answers: {} }));
    }
    return [];
  });
}

/** As the operator keeps it. */
function withoutURL(monitoring: TrafficMonitoring, digest: string): Monitoring {
  const { chatWebhookURL: _, bandwidthLimitKbps, ...rest } = monitoring;
  return {
    ...rest,
    ...(bandwidthLimitKbps !== undefined && { bandwidthLimitKbps }),
    ...(monitoring.chat && { chatWebhookDigest: digest }),
  };
}
