/** What link previews show of a page. */
export interface PageDescription {
  title: string;
  description: string;
}
