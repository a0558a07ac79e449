package dev.idempotency.aop;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * The calls in one method, on objects of the method's own class. If nothing in the method could be another object of that
 * class, or of one that extends it (a field, a parameter, a result, a cast), the receiver is the object itself.
 */
final class OwnCallVisitor extends MethodVisitor {

    private final Class<?> type;
    private final String owner;
    private final Set<String> targets;
    private final Consumer<String> found;
    private final Set<String> calls = new TreeSet<>();
    private final Set<Type> others = new HashSet<>();

    /**
     * Creates a visitor.
     *
     * @param targets the names and descriptors of the methods to look for
     * @param found is told the name of each that is called
     */
    OwnCallVisitor(Class<?> type, String methodDescriptor, Set<String> targets, Consumer<String> found) {
        super(SpringAsmInfo.ASM_VERSION);
        this.type = type;
        this.owner = Type.getInternalName(type);
        this.targets = targets;
        this.found = found;
        others.addAll(Arrays.asList(Type.getArgumentTypes(methodDescriptor)));
    }

    @Override
    public void visitFieldInsn(int opcode, String fieldOwner, String name, String fieldDescriptor) {
        others.add(Type.getType(fieldDescriptor));
    }

    @Override
    public void visitTypeInsn(int opcode, String created) {
        if (opcode != Opcodes.INSTANCEOF) {
            others.add(Type.getObjectType(created));
        }
    }

    @Override
    public void visitMethodInsn(
            int opcode, String methodOwner, String name, String methodDescriptor, boolean isInterface) {
        if (opcode == Opcodes.INVOKEVIRTUAL) {
            call(methodOwner, name, methodDescriptor);
        }
        others.add(Type.getReturnType(methodDescriptor));
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String callDescriptor, Handle bootstrap, Object... arguments) {
        // Without a receiver, the reference is to the method of whatever object it will be given.
        boolean hasReceiver = callDescriptor.startsWith("(L" + owner + ";");
        for (Object argument : arguments) {
            if (hasReceiver && argument instanceof Handle handle && handle.getTag() == Opcodes.H_INVOKEVIRTUAL) {
                call(handle.getOwner(), handle.getName(), handle.getDesc());
            }
        }
        others.add(Type.getReturnType(callDescriptor));
    }

    @Override
    public void visitEnd() {
        if (!calls.isEmpty() && others.stream().noneMatch(this::mayBeSelf)) {
            calls.forEach(found);
        }
    }

    private void call(String methodOwner, String name, String methodDescriptor) {
        if (methodOwner.equals(owner) && targets.contains(name + methodDescriptor)) {
            calls.add(name);
        }
    }

    private boolean mayBeSelf(Type other) {
        Type element = other.getSort() == Type.ARRAY ? other.getElementType() : other;
        if (element.getSort() != Type.OBJECT) {
            return false;
        }
        try {
            return type.isAssignableFrom(ClassUtils.forName(element.getClassName(), type.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError ex) {
            return true; // who knows
        }
    }
}
