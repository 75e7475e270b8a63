package io.jobqueue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.lang.CheckReturnValue;
import org.springframework.util.CustomizableThreadCreator;

import io.jobqueue.internal.concurrent.NamedThreads;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who may import whom. What no other package may import (the store's SQL, the worker, the
 * maintenance) stands on no right-hand side.
 */
class ArchitectureTests {

	private static final String API = "io.jobqueue";

	private static final String OBSERVATION = "observation";

	/**
	 * A conversion of a number to digits of the locale.
	 */
	private static final Pattern LOCALISED = Pattern.compile("%(\\d+\\$)?[-+0,(#]*\\d*(d|\\.\\d+[feg])");

	// @formatter:off
	private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
			Map.entry("concurrent", Set.of("logging", "store")),
			Map.entry("context", Set.of("payload", "store")),
			Map.entry("dependency", Set.of("concurrent", "event", "logging", "signal", "store")),
			Map.entry("direct", Set.of("concurrent", "handler", "logging", "outbox", "policy", "signal", "store", "worker", "worker.completion", "worker.execution", "worker.fetch")),
			Map.entry("event", Set.of("concurrent", "payload", "store")),
			Map.entry("handler", Set.of("observation", "payload", "policy", "store")),
			Map.entry("logging", Set.of("context", "store")),
			Map.entry("maintenance", Set.of("concurrent", "dependency", "event", "logging", "signal", "store")),
			Map.entry("observation", Set.of("payload")),
			Map.entry("operations", Set.of("event", "logging", "payload", "signal", "store")),
			Map.entry("outbox", Set.of("context", "event", "logging", "observation", "payload", "signal", "store")),
			Map.entry("payload", Set.of()),
			Map.entry("policy", Set.of("store")),
			Map.entry("pull", Set.of("concurrent", "context", "handler", "logging", "observation", "payload", "policy", "signal", "store", "worker", "worker.completion", "worker.execution", "worker.fetch")),
			Map.entry("recurring", Set.of("concurrent", "event", "logging", "operations", "outbox", "payload", "signal", "store", "worker")),
			Map.entry("relay", Set.of("concurrent", "handler", "logging", "policy", "signal", "store", "worker", "worker.completion", "worker.execution", "worker.fetch")),
			Map.entry("signal", Set.of("concurrent", "logging", "store")),
			Map.entry("store", Set.of()),
			Map.entry("store.postgresql", Set.of("signal", "store", "store.postgresql.jobs", "store.postgresql.monitoring", "store.postgresql.recurring", "store.postgresql.schema", "store.postgresql.search", "store.postgresql.signal", "store.postgresql.topic", "store.postgresql.transaction", "store.postgresql.workflow")),
			Map.entry("store.postgresql.jobs", Set.of("store", "store.postgresql.transaction")),
			Map.entry("store.postgresql.monitoring", Set.of("logging", "store", "store.postgresql.transaction")),
			Map.entry("store.postgresql.recurring", Set.of("store", "store.postgresql.transaction")),
			Map.entry("store.postgresql.schema", Set.of("store", "store.postgresql.transaction")),
			Map.entry("store.postgresql.search", Set.of("store", "store.postgresql.transaction")),
			Map.entry("store.postgresql.signal", Set.of("signal", "store", "store.postgresql.transaction")),
			Map.entry("store.postgresql.topic", Set.of("store", "store.postgresql.transaction")),
			Map.entry("store.postgresql.transaction", Set.of("concurrent", "logging", "store")),
			Map.entry("store.postgresql.workflow", Set.of("store", "store.postgresql.jobs", "store.postgresql.transaction")),
			Map.entry("topic", Set.of("outbox", "payload", "store", "worker")),
			Map.entry("worker", Set.of("concurrent", "context", "event", "handler", "logging", "policy", "signal", "store", "worker.completion", "worker.execution", "worker.fetch")),
			Map.entry("worker.completion", Set.of("concurrent", "event", "logging", "policy", "signal", "store")),
			Map.entry("worker.execution", Set.of("concurrent", "context", "handler", "logging", "payload", "policy", "signal", "store", "worker.completion")),
			Map.entry("worker.fetch", Set.of("concurrent", "handler", "logging", "policy", "signal", "store", "worker.completion", "worker.execution")),
			Map.entry("workflow", Set.of("context", "dependency", "operations", "outbox", "payload", "signal", "store", "worker.execution")));
	// @formatter:on

	static final List<String> PACKAGES = ARROWS.keySet().stream().sorted().toList();

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.importUrl(JobQueue.class.getProtectionDomain().getCodeSource().getLocation());

	@ParameterizedTest
	@FieldSource("PACKAGES")
	void packageImportsOnlyWhatItsArrowsAllow(String name) {
		String[] allowed = Stream.concat(Stream.of(name), ARROWS.get(name).stream())
			.map(ArchitectureTests::qualified)
			.toArray(String[]::new);
		noClasses().that()
			.resideInAPackage(qualified(name))
			.should()
			.dependOnClassesThat(ofOurs().and(DescribedPredicate.not(resideInAnyPackage(allowed)))
				.and(DescribedPredicate.not(resideInAPackage(API))))
			.allowEmptyShould(true)
			.check(CLASSES);
	}

	/**
	 * SQL, JSON and what nodes compare must not have Persian or Arabic digits. {@code %s}
	 * writes numbers with those of all locales.
	 */
	@Test
	void numbersInTextsAreNotLocalised() throws IOException {
		List<String> localised = new ArrayList<>();
		for (Path file : MethodLengthTests.sources(Path.of(".."))) {
			Files.readAllLines(file)
				.stream()
				.filter((line) -> LOCALISED.matcher(line).find() && !line.contains("Locale."))
				.forEach((line) -> localised.add(file.getFileName() + ": " + line.strip()));
		}
		assertThat(localised).isEmpty();
	}

	@Test
	void apiImportsNothingOfOurs() {
		noClasses().that()
			.resideInAPackage(API)
			.should()
			.dependOnClassesThat(ofOurs().and(DescribedPredicate.not(resideInAPackage(API))))
			.check(CLASSES);
	}

	@Test
	void everyPackageHasItsArrows() {
		assertThat(packages().filter((name) -> !name.equals(API)))
			.isSubsetOf(PACKAGES.stream().map(ArchitectureTests::qualified).toList());
	}

	@Test
	void packagesAreFreeOfCycles() {
		SlicesRuleDefinition.slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void atMostFourFilesOfAPackageUseEachOther() throws IOException {
		assertThat(FileRings.of(Path.of(".."))).hasSizeGreaterThan(500).filteredOn((ring) -> ring.size() > 4).isEmpty();
	}

	@Test
	void nothingSeesSpringBoot() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..").check(CLASSES);
	}

	/**
	 * Threads that are made elsewhere inherit values of requests, or have the class
	 * loader of the system.
	 */
	@Test
	void onlyNamedThreadsAreStarted() {
		noClasses().that()
			.doNotHaveFullyQualifiedName(NamedThreads.class.getName())
			.and()
			.doNotHaveFullyQualifiedName(NamedThreads.class.getName() + "$IndependentThreads")
			.should()
			.callConstructorWhere(target(owner(assignableTo(Thread.class).or(assignableTo(Timer.class))
				.or(assignableTo(CustomizableThreadCreator.class))
				.or(assignableTo(AsyncTaskExecutor.class)))))
			.check(CLASSES);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(packages())
			.allSatisfy((name) -> assertThat(CLASSES.getPackage(name).isAnnotatedWith(NullMarked.class)).isTrue());
	}

	/**
	 * A copy that is not used is an option that is not set.
	 */
	@Test
	void unusedCopiesAreErrors() {
		assertThat(CLASSES).filteredOn((type) -> type.getPackageName().equals(API))
			.flatMap(ArchitectureTests::copies)
			.hasSizeGreaterThan(30)
			.allMatch((method) -> method.isAnnotatedWith(CheckReturnValue.class)
					|| method.getOwner().isAnnotatedWith(CheckReturnValue.class));
	}

	private static List<JavaMethod> copies(JavaClass type) {
		return type.getMethods()
			.stream()
			.filter((method) -> method.getRawReturnType().equals(type)
					&& !method.getModifiers().contains(JavaModifier.STATIC))
			.toList();
	}

	private static Stream<String> packages() {
		return CLASSES.stream().map(JavaClass::getPackageName).distinct();
	}

	private static String qualified(String name) {
		return API + (name.equals(OBSERVATION) ? "." : ".internal.") + name;
	}

	private static DescribedPredicate<JavaClass> ofOurs() {
		return resideInAPackage(API + "..");
	}

	private static final class EachPackage implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return SliceIdentifier.of(type.getPackageName());
		}

		@Override
		public String getDescription() {
			return "each package";
		}

	}

}
