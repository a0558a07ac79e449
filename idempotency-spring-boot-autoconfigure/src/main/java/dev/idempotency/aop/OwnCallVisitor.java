package dev.idempotency.aop;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * The calls in one method, on objects of the method's own class. If nothing in the method could be another object of that
 * class (a field, a parameter, a result, a cast), the receiver is the object itself.
 */
final class OwnCallVisitor extends MethodVisitor {

    private final String owner;
    private final String descriptor;
    private final Set<String> targets;
    private final Consumer<String> found;
    private final Set<String> calls = new TreeSet<>();
    private boolean knowsOther;

    /**
     * Creates a visitor.
     *
     * @param targets the names and descriptors of the methods to look for
     * @param found is told the name of each that is called
     */
    OwnCallVisitor(Class<?> type, String methodDescriptor, Set<String> targets, Consumer<String> found) {
        super(SpringAsmInfo.ASM_VERSION);
        this.owner = Type.getInternalName(type);
        this.descriptor = Type.getDescriptor(type);
        this.targets = targets;
        this.found = found;
        knowsOtherIfIn(methodDescriptor.substring(0, methodDescriptor.indexOf(')')));
    }

    @Override
    public void visitFieldInsn(int opcode, String fieldOwner, String name, String fieldDescriptor) {
        knowsOtherIfIn(fieldDescriptor);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode != Opcodes.INSTANCEOF) {
            knowsOther |= type.equals(owner) || type.contains(descriptor);
        }
    }

    @Override
    public void visitMethodInsn(
            int opcode, String methodOwner, String name, String methodDescriptor, boolean isInterface) {
        if (opcode == Opcodes.INVOKEVIRTUAL) {
            call(methodOwner, name, methodDescriptor);
        }
        knowsOtherIfIn(methodDescriptor.substring(methodDescriptor.indexOf(')')));
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String callDescriptor, Handle bootstrap, Object... arguments) {
        for (Object argument : arguments) {
            if (argument instanceof Handle handle && handle.getTag() == Opcodes.H_INVOKEVIRTUAL) {
                call(handle.getOwner(), handle.getName(), handle.getDesc());
            }
        }
        knowsOtherIfIn(callDescriptor.substring(callDescriptor.indexOf(')')));
    }

    @Override
    public void visitEnd() {
        if (!knowsOther) {
            calls.forEach(found);
        }
    }

    private void call(String methodOwner, String name, String methodDescriptor) {
        if (methodOwner.equals(owner) && targets.contains(name + methodDescriptor)) {
            calls.add(name);
        }
    }

    private void knowsOtherIfIn(String types) {
        knowsOther |= types.contains(descriptor);
    }
}
