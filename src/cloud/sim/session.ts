/** Whether a SIM has a session (`api.md`, SIM status object); undefined: the service does not say. Pure. */
export function hasSession({ sessionStatus }: { readonly sessionStatus?: string | undefined }): boolean | undefined {
  return sessionStatus === undefined ? undefined : sessionStatus.toUpperCase() === 'UP';
}
