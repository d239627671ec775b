/** Why a MobileGateway is not Ready, beyond what all kinds share. Each is documented in docs/reference/conditions.md. */
export const GatewayReason = {
  /** There is no gateway to create without `planID`. */
  PlanRequired: 'PlanRequired',
  /** The service is making the gateway; this takes minutes. Do: Nothing. */
  Migrating: 'Migrating',
  /** The service failed to make the gateway; this is final. Do: Delete the resource and create it again; if the service fails again, ask its support with the ID. */
  CreationFailed: 'CreationFailed',
  /** After an interrupted creation several gateways, or several resources, could be meant; or the status is gone and one has its name. Do: Set `resourceID` to the one that is yours, or another `displayName`; the message lists them. */
  CreationAmbiguous: 'CreationAmbiguous',
  /** It was created a moment ago, and the service does not show it yet. Do: Nothing: it looks again every two seconds. */
  NotShownYet: 'NotShownYet',
  /** The zone has no gateway with the ID `resourceID` names. */
  ResourceIDNotFound: 'ResourceIDNotFound',
  /** Another MobileGateway manages the gateway with this ID. */
  AlreadyManaged: 'AlreadyManaged',
  /** `adoption: Required` without `resourceID`: gateways are found by ID only. */
  ResourceIDRequired: 'ResourceIDRequired',
  /** `managementPolicy: Observe`, and there is nothing to observe. */
  NothingToObserve: 'NothingToObserve',
  /** The Secret with the chat webhook is missing, or its key. */
  ChatWebhookSecretMissing: 'ChatWebhookSecretMissing',
  /** A SIM route names a Sim that is not registered with this gateway yet. */
  RouteWaitsForSim: 'RouteWaitsForSim',
  /** The gateway is being started. Do: Nothing. */
  Booting: 'Booting',
  /** The gateway is being stopped before it is deleted. Do: Nothing. */
  Stopping: 'Stopping',
  /** Sims name the gateway, or SIMs are registered with it that no Sim takes off it; it is deleted when they have left. */
  SimsStillRegistered: 'SimsStillRegistered',
  /** The service offers no way to remove DNS resolvers. Do: Write the resolvers you want instead, or put `dns` back. */
  DNSNotRemovable: 'DNSNotRemovable',
  /** The gateway has another name at the service, and gateways can't be renamed from here. Do: Set `displayName` to the name it has, or rename it in the control panel. */
  DisplayNameNotChangeable: 'DisplayNameNotChangeable',
  /** The plan at the service differs, and plans can't be changed. */
  PlanNotChangeable: 'PlanNotChangeable',
} as const;
