/** What there is to say when a resource is let go of and what belongs to it stays at the service; `state`: how it stays there. */
export function letGoMessage(id: string | undefined, candidates: readonly string[] = [], state?: string): string {
  if (id !== undefined) return `Let go; ${id} stays at the service${state === undefined ? '.' : `, ${state}`}`;
  if (candidates.length === 0) return 'Nothing was created.';
  return `Let go. Its creation was interrupted, and what it made, if anything, is among these, which stay at the service: ${candidates.join(', ')}. Delete there what nobody needs.`;
}

/** The same for one that has gone though the operator did not let go of it. `missingSince`: what it had was not there then. */
export function leftBehindMessage(kind: string, what: string | undefined, missingSince?: string): string {
  const gone = 'the resource has gone with its finalizer taken off, or the cluster was restored to before it was made.';
  if (what !== undefined && missingSince !== undefined) {
    return `${what} is missing since ${missingSince}, and nobody looks after it if it is there again: ${gone} Look for it at the service; create the ${kind} again to manage it.`;
  }
  return what === undefined
    ? `Something may have been made at the service, and nobody looks after it: ${gone} Its creation was interrupted. Look for it there.`
    : `${what} stays at the service, and nobody looks after it: ${gone} Create the ${kind} again to manage it; to have it deleted, set deletionPolicy: Delete there, and delete it.`;
}

/** The same where a spec came to name what exists already, and what an interrupted creation may have made is not that. */
export function takenInsteadMessage(id: string): string {
  return `Took over ${id}, as the spec asks. A creation was interrupted before that, and may have made another at the service, which nobody looks after. Look for it there, and delete it if nobody needs it.`;
}

/** The same for a resource that is abandoned, which nothing is looked at for. */
export function abandonedMessage(id: string | undefined, creationUnclear: boolean): string {
  const abandoned = 'Abandoned as its annotation asks; ';
  if (id !== undefined) return `${abandoned}${id} stays at the service as it is.`;
  return creationUnclear
    ? `${abandoned}its creation was interrupted, and may have left something at the service that now nobody looks after. Look for it there.`
    : `${abandoned}the service was left as it is.`;
}
