package kotlin.coroutines;

/** Has the name of the real one: the last parameter of a suspending function. */
public interface Continuation<T> {}
