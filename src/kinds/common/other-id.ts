/**
 * What there is to say where `resourceID` came into a spec later, and names another than the resource has (`what`, such as `SIM`,
 * with the ID `id`): what it has is its own, and that other one is not taken over in its place. Pure.
 */
export function planResourceID<Reason extends string>(
  what: string,
  id: string,
  resourceID: string | undefined,
  reason: Reason,
): { readonly unsynced?: { readonly reason: Reason; readonly message: string } } {
  if (resourceID === undefined || resourceID === id) return {};
  const message = `resourceID is "${resourceID}", and this resource has ${what} ${id} already, which stays its own. To put that right, set deletionPolicy: Orphan, delete this resource, and create it again with resourceID: "${id}", or with the other one if that is meant.`;
  return { unsynced: { reason, message } };
}
