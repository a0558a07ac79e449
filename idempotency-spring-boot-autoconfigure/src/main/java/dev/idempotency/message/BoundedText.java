package dev.idempotency.message;

import java.io.Reader;

/** Reads a range of a text without copying it first, because bodies are large and their ids are near the beginning. */
final class BoundedText extends Reader {

    private final CharSequence text;
    private final int end;
    private int position;

    BoundedText(CharSequence text, int start, int end) {
        this.text = text;
        this.position = start;
        this.end = end;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
        if (position >= end) {
            return -1;
        }
        int count = Math.min(length, end - position);
        if (text instanceof String string) {
            string.getChars(position, position + count, buffer, offset);
        } else {
            for (int i = 0; i < count; i++) {
                buffer[offset + i] = text.charAt(position + i);
            }
        }
        position += count;
        return count;
    }

    @Override
    public void close() {}
}
