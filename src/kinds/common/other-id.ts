/** Says that `resourceID` names another than the resource has (`what`, with the ID `id`), and how that is put right. */
export function otherIDMessage(what: string, id: string, resourceID: string): string {
  return `resourceID is "${resourceID}", and this resource has ${what} already, which stays its own. To put that right, set deletionPolicy: Orphan, delete this resource, and create it again with resourceID: "${id}", or with the other one if that is meant.`;
}
