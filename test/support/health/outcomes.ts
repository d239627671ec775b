/** One way in which a resource shows how it is: its conditions, and what others make of them. */
export interface Outcome {
  readonly ready: 'True' | 'False';
  /** Accounts have none, and are taken by Ready. */
  readonly synced: 'True' | 'False';
  /** The condition that is there besides, if any. */
  readonly besides?: 'Reconciling' | 'Stalled' | 'Braked';
  readonly deleting?: true;
  /** Argo CD's health. */
  readonly argo: 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended';
  /** As Flux, kpt and cli-utils know it. */
  readonly kstatus: 'Current' | 'InProgress' | 'Failed' | 'Terminating';
}

/** All there are. */
export const outcomes = {
  works: { ready: 'True', synced: 'True', argo: 'Healthy', kstatus: 'Current' },
  differs: { ready: 'True', synced: 'False', argo: 'Healthy', kstatus: 'Current' },
  waits: { ready: 'False', synced: 'False', besides: 'Reconciling', argo: 'Progressing', kstatus: 'InProgress' },
  worksAndWaits: { ready: 'True', synced: 'False', besides: 'Reconciling', argo: 'Progressing', kstatus: 'InProgress' },
  stalled: { ready: 'False', synced: 'False', besides: 'Stalled', argo: 'Degraded', kstatus: 'Failed' },
  unanswered: { ready: 'False', synced: 'False', besides: 'Stalled', argo: 'Degraded', kstatus: 'InProgress' },
  worksAndStalled: { ready: 'True', synced: 'False', besides: 'Stalled', argo: 'Degraded', kstatus: 'Failed' },
  broken: { ready: 'False', synced: 'True', besides: 'Stalled', argo: 'Degraded', kstatus: 'Failed' },
  stopped: { ready: 'False', synced: 'True', argo: 'Suspended', kstatus: 'InProgress' },
  paused: { ready: 'False', synced: 'False', argo: 'Suspended', kstatus: 'InProgress' },
  braked: { ready: 'True', synced: 'True', besides: 'Braked', argo: 'Suspended', kstatus: 'Current' },
  worksPaused: { ready: 'True', synced: 'False', argo: 'Suspended', kstatus: 'Current' },
  leaves: {
    ready: 'False',
    synced: 'False',
    besides: 'Reconciling',
    deleting: true,
    argo: 'Progressing',
    kstatus: 'Terminating',
  },
  leavesPaused: { ready: 'False', synced: 'False', deleting: true, argo: 'Progressing', kstatus: 'Terminating' },
} as const satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof outcomes;
