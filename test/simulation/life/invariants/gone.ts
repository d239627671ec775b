import { conditionOf, type Incarnation } from '../intent.ts';
import { textAt } from '../json.ts';
import { nameOf } from '../scene.ts';
import {
  accountOf,
  commonReasons,
  idOf,
  isExtended,
  isNamedByBackup,
  live,
  simsOfICCID,
  toldReasons,
  wanted,
} from './diagnosis.ts';
import type { FinalInvariant } from './invariant.ts';

/** What was deleted is gone, unless it says truthfully what it waits for; what it created is gone with it. */
export const gone: FinalInvariant = {
  name: 'what was deleted is gone',
  check(scene, say) {
    const now = scene.world.now();
    for (const plural of ['sims', 'mobilegateways', 'webaccelsites', 'sitecertificates']) {
      for (const incarnation of scene.intent.alive(plural, now)) {
        if (incarnation.goneAt !== undefined || incarnation.deletedAt === undefined) continue;
        const reasons = commonReasons(scene, incarnation);
        if (plural === 'mobilegateways' && (hasSims(incarnation.object) || isNamed(incarnation)))
          reasons.add('SimsStillRegistered').add('CreationAmbiguous');
        if (isExtended(accountOf(scene, incarnation))) reasons.add('Stopping');
        if (isNamedByBackup(incarnation)) reasons.add('NotTheSame');
        // People registered another with its ICCID, and which one it has is not on record.
        if (plural === 'sims' && simsOfICCID(scene, incarnation).length > 1) reasons.add('AmbiguousICCID');
        if (toldReasons(incarnation).some((reason) => reasons.has(reason))) continue;
        const ready = conditionOf(incarnation.object, 'Ready');
        say(
          `${nameOf(incarnation)} was deleted ${Math.round((now - incarnation.deletedAt) / 1000)} s ago and is still there: ${ready?.reason}: ${ready?.message}`,
        );
      }
    }

    function hasSims(object: object): boolean {
      const id = textAt(object, 'status', 'id');
      return (
        id === undefined ||
        live(scene, 'sims').some((sim) => scene.atService.now('sims', idOf(sim) ?? '')?.gatewayID === id) ||
        anySimAt(id)
      );
    }

    /** Also one that is being deleted is waited for. */
    function isNamed({ namespace, name }: Incarnation): boolean {
      return scene.intent
        .alive('sims', now)
        .some(
          (sim) =>
            sim.goneAt === undefined &&
            sim.namespace === namespace &&
            textAt(wanted(sim).spec, 'gatewayRef', 'name') === name,
        );
    }

    function anySimAt(gatewayID: string): boolean {
      return scene.script.setting.credentials.some(({ name }) =>
        [...scene.world.service.world(name).sims.values()].some((sim) => sim.gatewayID === gatewayID),
      );
    }
  },
};

/** What the operator created is some resource's, or was let go of; nothing is left behind. */
export const nothingLeft: FinalInvariant = {
  name: 'nothing is left behind',
  check(scene, say) {
    const has = (id: string) => scene.intent.all.some(({ ids }) => ids.includes(id));
    for (const { name, sameAs } of scene.script.setting.credentials) {
      if (sameAs !== undefined) continue;
      const { sims, gateways } = scene.world.service.world(name);
      for (const { id, label } of [
        ...[...sims.values()].map(({ id, iccid }) => ({ id, label: `SIM ${iccid}` })),
        ...[...gateways.values()].map(({ id, name }) => ({ id, label: `gateway ${name}` })),
      ]) {
        const creators = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, id));
        if (creators.length === 0 || scene.atService.isStray(id)) continue;
        const isLetGo = creators.some(
          (creator) =>
            creator.isRestored ||
            creator.isTornOff ||
            creator.versions.some(
              ({ spec, annotations }) =>
                spec['deletionPolicy'] === 'Orphan' ||
                spec['managementPolicy'] === 'Observe' ||
                annotations['edgeline.dev/abandon'] === 'true',
            ) ||
            (creator.goneAt === undefined &&
              toldReasons(creator).some((reason) =>
                [
                  'CreationAmbiguous',
                  'AmbiguousICCID',
                  'AlreadyManaged',
                  'Paused',
                  'ManyMissing',
                  'AccountChanged',
                  'AccountNotReady',
                  'NothingToObserve',
                  'Deleting',
                  'DeletionHeld',
                  'SimsStillRegistered',
                ].includes(reason),
              )),
        );
        if (isLetGo) continue;
        const owner = scene.intent.all.find(({ ids, goneAt }) => goneAt === undefined && ids.at(-1) === id);
        if (owner) continue;
        const isTaken = has(id) ? 'whose resource is gone' : 'which no resource ever had';
        say(`${label} (${id}) was created for ${creators.map(nameOf).join(' or ')} and is left behind: ${isTaken}`);
      }
    }
  },
};
