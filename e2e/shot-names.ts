/** 'schedule' on whatever day, 'schedule-week', 'lessons-details', 'lessons-complete'; 'home' for the first. */
export function nameOf(path: string): string {
  const words = path
    .replace(/\/\d+$/, '/details')
    .replace('mobile-settings', 'settings')
    .match(/[a-z][a-z-]+/g)
    ?.filter((word) => !/^(date|view|board)$/.test(word));
  return words?.join('-') ?? 'home';
}

/** 'account', 'invoice', 'invoice-draft', 'invoice-link', 'everyone-drafts', 'pay', 'reports-owed'. */
export function moneyNameOf(path: string, title: string): string {
  if (title === 'Draft invoice') return 'invoice-draft';
  if (title.startsWith('Payment to')) return path.startsWith('/pay/') ? 'pay' : 'invoice-link';
  if (/^\/invoices\/\d/.test(path)) return 'invoice';
  if (/^\/families\/\d/.test(path)) return 'account';
  return nameOf(path).replace('-show-', '-').replace('invoices-everyone', 'everyone');
}
