/** Reasons of the events all managed kinds emit, besides the reasons of conditions. */
export const EventReason = {
  /** Something was created at the service for this resource. */
  Created: 'Created',
  /** Something that existed was taken over. */
  Adopted: 'Adopted',
  /** The service was changed; the message says to what, and why. */
  Updated: 'Updated',
  /** Somebody changed something at the service; it was corrected. */
  DriftCorrected: 'DriftCorrected',
  /** Deleted at the service. */
  Deleted: 'Deleted',
  /** Released, and left as it is at the service. */
  Orphaned: 'Orphaned',
  /** What belongs to it stays at the service, or may: it was deleted with its finalizer taken off by hand, is not in a cluster that was restored, or took over another one after its creation was interrupted. */
  LeftBehind: 'LeftBehind',
  /** It vanished from the service although it should be there. */
  Vanished: 'Vanished',
  /** Something was accepted that is probably a mistake, such as a misspelled annotation or an address outside the gateway's network. */
  Questionable: 'Questionable',
  /** The apiserver refused to store its status or finalizer. */
  NotStored: 'NotStored',
} as const;
