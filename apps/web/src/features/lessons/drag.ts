import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** Less than this is a click. */
const SLACK_PX = 5;

interface Drag {
  enabled: boolean;
  onDrag: (dx: number, dy: number) => void;
  onDrop: () => void;
  /** Escape, or the browser took the pointer away. */
  onGiveUp: () => void;
}

/** Dragging with a mouse. A finger scrolls, so on touch screens the menu is the way. */
export function useDrag({ enabled, onDrag, onDrop, onGiveUp }: Drag) {
  const start = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const dropped = useRef(false);
  const giveUp = useRef(onGiveUp);

  useEffect(() => {
    giveUp.current = onGiveUp;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !start.current) return;
      start.current = null;
      giveUp.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  if (!enabled) return {};
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      dropped.current = false;
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      start.current = { x: event.clientX, y: event.clientY, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.moved && Math.hypot(dx, dy) < SLACK_PX) return;
      from.moved = true;
      onDrag(dx, dy);
    },
    onPointerUp: () => {
      dropped.current = start.current?.moved ?? false;
      start.current = null;
      if (dropped.current) onDrop();
    },
    onPointerCancel: () => {
      start.current = null;
      onGiveUp();
    },
    // The click that ends a drag must not open the lesson.
    onClick: (event: MouseEvent) => {
      if (dropped.current) event.preventDefault();
    },
  };
}
