/** The anchors of a page's headings, as GitHub derives them. */
export function findHeadingAnchors(markdown: string): Set<string> {
  const withoutCode = markdown.replaceAll(/^```[^]*?^```/gm, '');
  const anchors = new Set<string>();
  for (const [, text = ''] of withoutCode.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const anchor = text
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    anchors.add(anchor);
  }
  return anchors;
}
