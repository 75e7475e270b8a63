package io.jobqueue.internal.handler;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;

/**
 * Loads a class as if it had been compiled without {@code -parameters}.
 */
final class NamelessParameters extends ClassLoader {

	private NamelessParameters(Class<?> original) {
		super(original.getClassLoader());
	}

	static Class<?> of(Class<?> original) {
		try (InputStream file = original.getResourceAsStream(original.getName().replaceAll(".*\\.", "") + ".class")) {
			ClassWriter written = new ClassWriter(0);
			new ClassReader(file).accept(new WithoutNames(written), 0);
			byte[] bytes = written.toByteArray();
			return new NamelessParameters(original).defineClass(original.getName(), bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class WithoutNames extends ClassVisitor {

		private WithoutNames(ClassVisitor written) {
			super(SpringAsmInfo.ASM_VERSION, written);
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION, method) {

				@Override
				public void visitParameter(String parameter, int parameterAccess) {
					// its name is left out
				}

			};
		}

	}

}
