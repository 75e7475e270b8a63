package io.jobqueue.internal.payload;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.core.NativeDetector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;

/**
 * The registry of the types that this JVM enqueues or handles. A name belongs to one
 * payload class.
 */
public final class JobTypes {

	private static final int MAX_LENGTH = 200;

	private static final String RULE = "at most %s printable characters, without spaces".formatted(MAX_LENGTH);

	/**
	 * Matches names that take the article "an", unlike {@code Uni} or {@code User}.
	 */
	private static final Pattern AN = Pattern.compile("[AEIO]|U(?!ni|s|r)");

	private static final ClassValue<Optional<String>> QUEUES = new ClassValue<>() {

		@Override
		protected Optional<String> computeValue(Class<?> payloadClass) {
			return Optional.ofNullable(AnnotationUtils.findAnnotation(payloadClass, JobType.class))
				.map(JobType::queue)
				.filter(StringUtils::hasText);
		}

	};

	private final Map<Class<?>, String> names = new ConcurrentHashMap<>();

	private final Map<String, Class<?>> classes = new ConcurrentHashMap<>();

	private final Set<String> queues = ConcurrentHashMap.newKeySet();

	/**
	 * Return the name of a payload's type.
	 * @param payloadClass the class of the payload
	 * @param requested the requested name, required for maps, JSON nodes and strings and
	 * not permitted for other payloads
	 * @return the name
	 * @throws JobRejectedException if the name is missing, not permitted, invalid or
	 * belongs to another class
	 */
	public String name(Class<?> payloadClass, @Nullable String requested) {
		if (!namesItself(payloadClass)) {
			String name = valid(requested, payloadClass);
			refuseAnotherOwner(name, this.classes.get(name), payloadClass);
			return name;
		}
		if (StringUtils.hasText(requested)) {
			throw invalid("must not be given for " + payloadClass.getName()
					+ ": its class names the type; use @JobType to change the name");
		}
		return this.names.computeIfAbsent(payloadClass, this::register);
	}

	/**
	 * Return the class of a payload: of a constant, that of its enum, which has another
	 * class if it has a body.
	 * @param payload the payload
	 * @return its class
	 */
	public static Class<?> payloadClass(Object payload) {
		return (payload instanceof Enum<?> constant) ? constant.getDeclaringClass() : payload.getClass();
	}

	/**
	 * Return whether the class of a payload names the type of its jobs. Requests and
	 * handlers must not name the type then.
	 * @param payloadClass the class of the payload
	 * @return {@code false} for maps, JSON nodes and strings
	 */
	public static boolean namesItself(Class<?> payloadClass) {
		return payloadClass != String.class && !Map.class.isAssignableFrom(payloadClass)
				&& !JsonNode.class.isAssignableFrom(payloadClass);
	}

	/**
	 * Return the queue that a payload class names for its jobs.
	 * @param payloadClass the class of the payload
	 * @return the queue's name, or {@code null} if it names none
	 */
	public static @Nullable String queue(Class<?> payloadClass) {
		return QUEUES.get(payloadClass).orElse(null);
	}

	/**
	 * Return the queues that payload classes name for their jobs, of the classes that
	 * this JVM has enqueued or handled so far.
	 * @return an unmodifiable view of the names, to which further names are added
	 */
	public Set<String> queues() {
		return Collections.unmodifiableSet(this.queues);
	}

	/**
	 * Return the names under which older jobs of a payload class may be stored.
	 * @param payloadClass the class of the payload
	 * @return the names, without that of new jobs
	 * @throws JobRejectedException if a name is invalid or belongs to another class
	 */
	public Set<String> aliases(Class<?> payloadClass) {
		if (!namesItself(payloadClass)) {
			return Set.of();
		}
		JobType annotation = AnnotationUtils.findAnnotation(payloadClass, JobType.class);
		Set<String> aliases = new TreeSet<>((annotation != null) ? List.of(annotation.aliases()) : List.of());
		aliases.remove(name(payloadClass, null));
		return aliases;
	}

	private String register(Class<?> payloadClass) {
		refuseContainers(payloadClass);
		refuseGenerated(payloadClass);
		JobType annotation = AnnotationUtils.findAnnotation(payloadClass, JobType.class);
		String given = (annotation != null) ? annotation.value() : "";
		String name = own(given.isEmpty() ? payloadClass.getSimpleName() : given, payloadClass);
		for (String alias : (annotation != null) ? annotation.aliases() : new String[0]) {
			own(alias, payloadClass);
		}
		String queue = queue(payloadClass);
		if (queue != null && QueueNames.isValid(queue)) {
			this.queues.add(queue);
		}
		return name;
	}

	private String own(String name, Class<?> payloadClass) {
		refuseAnotherOwner(valid(name, payloadClass), this.classes.putIfAbsent(name, payloadClass), payloadClass);
		return name;
	}

	private static void refuseAnotherOwner(String name, @Nullable Class<?> owner, Class<?> payloadClass) {
		if (owner != null && owner != payloadClass) {
			throw invalid("'%s' names both %s and %s; give one of them another name or alias with @JobType"
				.formatted(name, owner.getName(), payloadClass.getName()));
		}
	}

	private static JobRejectedException invalid(String reason) {
		return new JobRejectedException("type", reason);
	}

	private static void refuseContainers(Class<?> payloadClass) {
		if (JobRequest.class == payloadClass) {
			throw invalid("is missing: a JobRequest is not a payload; use enqueue(JobRequest)");
		}
		if (Optional.class == payloadClass) {
			throw invalid("is missing: an Optional is not a payload; enqueue its value");
		}
		if (Collection.class.isAssignableFrom(payloadClass) || BaseStream.class.isAssignableFrom(payloadClass)) {
			throw invalid("is missing: %s is not a payload; use enqueueAll for several jobs"
				.formatted(withArticle(kind(payloadClass))));
		}
		if (payloadClass.isAnonymousClass() || payloadClass.isHidden() || payloadClass.isArray()
				|| payloadClass.isSynthetic() || ClassUtils.isPrimitiveOrWrapper(payloadClass)
				|| payloadClass == Object.class) {
			throw invalid("is missing: %s has no name to use; enqueue a record or a named class"
				.formatted(payloadClass.getTypeName()));
		}
	}

	/**
	 * Lazy entities and other subclasses that libraries generate have names that no
	 * handler has, and another one at each start. Their classes have no file. In a native
	 * image, no class has one.
	 */
	private static void refuseGenerated(Class<?> payloadClass) {
		Class<?> superclass = payloadClass.getSuperclass();
		boolean subclass = superclass != Object.class && superclass != Record.class && superclass != Enum.class;
		boolean hasFile = payloadClass.getResource(ClassUtils.getClassFileName(payloadClass)) != null;
		if (subclass && !hasFile && !NativeDetector.inNativeImage()) {
			throw invalid(
					"is missing: %s, a subclass of %s, was generated at run time, as those of lazy entities and proxies are; enqueue an id or a record"
						.formatted(payloadClass.getName(), superclass.getName()));
		}
	}

	private static String valid(@Nullable String name, Class<?> payloadClass) {
		if (!StringUtils.hasText(name)) {
			throw invalid(
					("is missing: %s does not name a type; name the type with JobRequest.of(queue, payload).type(name)"
							+ " and, for its handler, with @JobHandler(type = name)")
						.formatted(withArticle(kind(payloadClass))));
		}
		if (!isValid(name)) {
			throw invalid("of %s must be %s".formatted(payloadClass.getTypeName(), RULE));
		}
		return name;
	}

	/**
	 * Check the name of a type whose class is not known.
	 * @param name the name
	 * @throws JobRejectedException if it is invalid
	 */
	public static void check(String name) {
		if (!StringUtils.hasText(name) || !isValid(name)) {
			throw invalid("must be " + RULE);
		}
	}

	private static boolean isValid(String name) {
		return name.length() <= MAX_LENGTH && name.codePoints().allMatch(JobTypes::isPrintable);
	}

	/**
	 * Return the name of a class with its indefinite article, for messages.
	 * @param type the class
	 * @return the article and the name, such as {@code a Map} or {@code an Optional}
	 */
	public static String withArticle(Class<?> type) {
		String name = type.getSimpleName();
		return (AN.matcher(name).lookingAt() ? "an " : "a ") + name;
	}

	/**
	 * Containers are named by their interface, since implementation classes of the JDK
	 * have internal names.
	 */
	private static Class<?> kind(Class<?> payloadClass) {
		return Stream.of(List.class, Set.class, Collection.class, Map.class, Stream.class)
			.<Class<?>>map((kind) -> kind)
			.filter((kind) -> kind.isAssignableFrom(payloadClass))
			.findFirst()
			.orElse(payloadClass);
	}

	private static boolean isPrintable(int codePoint) {
		return Character.isDefined(codePoint) && !Character.isISOControl(codePoint)
				&& !Character.isWhitespace(codePoint) && Character.getType(codePoint) != Character.SURROGATE;
	}

}
