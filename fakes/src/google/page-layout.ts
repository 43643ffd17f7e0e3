import { renderLayout } from '../shared/page-layout.ts';

export function renderGooglePage(title: string, content: string): string {
  return renderLayout('Test mode: a stand-in for Google. Nothing leaves here.', title, content);
}
