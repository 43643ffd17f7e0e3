import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** A shorter movement counts as a click. */
const DRAG_THRESHOLD_PX = 5;

interface DragOptions {
  enabled: boolean;
  onDrag: (dx: number, dy: number) => void;
  onDrop: () => void;
  /** Called on Escape or pointercancel. */
  onCancel: () => void;
}

/** Mouse only: touch is for scrolling, so touch screens use the buttons of the popover instead. */
export function useDrag({ enabled, onDrag, onDrop, onCancel }: DragOptions) {
  const dragStart = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const wasDropped = useRef(false);
  const cancel = useRef(onCancel);

  useEffect(() => {
    cancel.current = onCancel;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !dragStart.current) return;
      dragStart.current = null;
      cancel.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  if (!enabled) return {};
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      wasDropped.current = false;
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      dragStart.current = { x: event.clientX, y: event.clientY, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const origin = dragStart.current;
      if (!origin) return;
      const [dx, dy] = [event.clientX - origin.x, event.clientY - origin.y];
      if (!origin.moved && Math.hypot(dx, dy) < DRAG_THRESHOLD_PX) return;
      origin.moved = true;
      onDrag(dx, dy);
    },
    onPointerUp: () => {
      wasDropped.current = dragStart.current?.moved ?? false;
      dragStart.current = null;
      if (wasDropped.current) onDrop();
    },
    onPointerCancel: () => {
      dragStart.current = null;
      onCancel();
    },
    // The click that ends a drag has no other effect.
    onClickCapture: (event: MouseEvent) => {
      if (!wasDropped.current) return;
      wasDropped.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
