import type { Hold } from '../../reconcile/plan.ts';
import type { SharedReason } from '../common/reasons.ts';

/** Why a MobileGateway is not Ready, beyond what all kinds share. Each is documented in docs/reference/conditions.md. */
export const GatewayReason = {
  /** A gateway can't be created without `planID`. Do: Set `planID` (2 is the only known plan), or `resourceID` to take a gateway over. */
  PlanRequired: 'PlanRequired',
  /** The service is creating the gateway; this takes minutes. Do: Nothing. */
  Migrating: 'Migrating',
  /** The service failed to create the gateway; this is final. Do: Delete the resource and create it again; if the service fails again, ask its support with the ID. */
  CreationFailed: 'CreationFailed',
  /** After an interrupted creation, several gateways or several resources are in question, or one of another name; or the status is gone and a gateway has its name. Do: Set `resourceID` to the gateway that is yours, or do what else the message says; it lists them. */
  CreationAmbiguous: 'CreationAmbiguous',
  /** It was created a moment ago, and the service does not show it yet. Do: Nothing: it is looked for again every few seconds. */
  NotShownYet: 'NotShownYet',
  /** The zone has no gateway with the ID `resourceID` names. Do: Delete the resource, and create it again with the right `resourceID` and `zone`. */
  ResourceIDNotFound: 'ResourceIDNotFound',
  /** Another MobileGateway manages the gateway with this ID. Do: Delete this one; or set `deletionPolicy: Orphan` on the other before you delete that, and this one takes over. */
  AlreadyManaged: 'AlreadyManaged',
  /** A MobileGateway of another namespace may have made the gateway with this ID, and does not know yet. Do: Nothing; if it lasts, see what the one in the message waits for. */
  MayBeAnothers: 'MayBeAnothers',
  /** `adoption: Required` without `resourceID`: gateways are found by ID only. Do: Set `resourceID` to the gateway’s ID. */
  ResourceIDRequired: 'ResourceIDRequired',
  /** `managementPolicy: Observe`, and there is nothing to observe. Do: Set `resourceID` to the gateway’s ID, or remove `managementPolicy`. */
  NothingToObserve: 'NothingToObserve',
  /** The Secret with the chat webhook, or its key, is missing. Do: Create the Secret with the URL under that key, or correct `chatWebhookSecretRef`. */
  ChatWebhookSecretMissing: 'ChatWebhookSecretMissing',
  /** A SIM route names a Sim that is not registered with this gateway yet. Do: Create the Sim, correct `simRef`, or let the Sim’s `gatewayRef` name this gateway; nothing, while the Sim is being registered. */
  RouteWaitsForSim: 'RouteWaitsForSim',
  /** The gateway is being started. Do: Nothing. */
  Booting: 'Booting',
  /** The gateway is being stopped before it is deleted. Do: Nothing. */
  Stopping: 'Stopping',
  /** Somebody stopped the gateway, and its SIMs are offline. Do: Start it in the control panel; the operator starts only gateways that it has just created. */
  Stopped: 'Stopped',
  /** Sims name the gateway, or SIMs that no Sim takes off it are registered with it; it is deleted when they have left. Do: Remove `gatewayRef` and `ipAddress` from the Sims that the message names, or delete those whose SIMs were made for them; for SIMs that no Sim takes off it, set the annotation `edgeline.dev/release-sims`. */
  SimsStillRegistered: 'SimsStillRegistered',
  /** The service offers no way to remove DNS resolvers. Do: Set the resolvers you want instead, or restore `dns`. */
  DNSNotRemovable: 'DNSNotRemovable',
  /** `resourceID` names another gateway than the one that the resource has. Do: Set `deletionPolicy: Orphan`, delete the resource, and create it again with the `resourceID` of the gateway that is meant. */
  ResourceIDMismatch: 'ResourceIDMismatch',
  /** The name at the service differs, and names of gateways can't be changed. Do: Set `displayName` to the name in the message, or rename the gateway in the control panel. */
  DisplayNameNotChangeable: 'DisplayNameNotChangeable',
  /** The plan at the service differs, and plans can't be changed. Do: Take `planID` out of the spec, which changes nothing at the service, or create another gateway. */
  PlanNotChangeable: 'PlanNotChangeable',
} as const;
export type GatewayReason = (typeof GatewayReason)[keyof typeof GatewayReason];

/** Why a MobileGateway is not simply Ready. */
export type GatewayHold = Hold<GatewayReason | SharedReason>;
