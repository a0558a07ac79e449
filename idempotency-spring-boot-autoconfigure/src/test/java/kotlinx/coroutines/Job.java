package kotlinx.coroutines;

/** Has the name of the real one, which is all that the guard goes by. */
public interface Job {}
