package io.jobqueue.internal.dashboard;

import java.util.Map;
import java.util.Set;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * The imports between the packages of the dashboard. Pages import what they share, and no
 * shared package imports a page.
 */
class ArchitectureTests {

	private static final String ROOT = "io.jobqueue.internal.dashboard";

	private static final Map<String, Set<String>> SHARED = Map.of("access", Set.of(), "asset", Set.of(), "live",
			Set.of("view"), "view", Set.of("access", "asset"), "routing", Set.of("access", "view"));

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.importUrl(DashboardRoutes.class.getProtectionDomain().getCodeSource().getLocation());

	@ParameterizedTest
	@ValueSource(strings = { "access", "asset", "live", "view", "routing" })
	void sharedPackageImportsOnlyWhatItsArrowsAllow(String name) {
		DescribedPredicate<JavaClass> allowed = resideInAnyPackage(
				SHARED.get(name).stream().map((other) -> ROOT + "." + other).toArray(String[]::new));
		noClasses().that()
			.resideInAPackage(ROOT + "." + name)
			.should()
			.dependOnClassesThat(resideInAPackage(ROOT + ".*").and(DescribedPredicate.not(allowed))
				.and(DescribedPredicate.not(resideInAPackage(ROOT + "." + name))))
			.check(CLASSES);
	}

	@Test
	void packagesAreFreeOfCycles() {
		SlicesRuleDefinition.slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
	}

	/**
	 * Threads that are made elsewhere inherit values of requests.
	 */
	@Test
	void onlyNamedThreadsAreStarted() {
		noClasses().should().callConstructorWhere(target(owner(assignableTo(Thread.class)))).check(CLASSES);
	}

}
