import { renderPageOf } from '../shared/page-layout.ts';

export function renderPage(title: string, content: string): string {
  return renderPageOf('Test mode: a stand-in for Google. Nothing leaves here.', title, content);
}
