import { renderLayout } from '../shared/page-layout.ts';

export function renderGooglePage(title: string, content: string): string {
  return renderLayout('Test mode: fake Google. No data leaves this machine.', title, content);
}
