package io.jobqueue.sample;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

class ArchitectureTests {

	private static final String NEWSLETTER = "io.jobqueue.newsletter..";

	private static final String SERVERS = "io.jobqueue.testpostgres";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.jobqueue.sample", "io.jobqueue.newsletter");

	@Test
	void packagesAreFreeOfCycles() {
		SlicesRuleDefinition.slices().matching("io.jobqueue.sample.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	/**
	 * The applications have the topic in common, no class.
	 */
	@Test
	void newsletterKnowsNothingOfTheSample() {
		noClasses().that()
			.resideInAPackage(NEWSLETTER)
			.should()
			.dependOnClassesThat(resideInAPackage("io.jobqueue.sample.."))
			.check(CLASSES);
	}

	/**
	 * The sample brings a server of its own, so that it starts without one.
	 */
	@Test
	void importsNothingOfTheQueueButItsApi() {
		noClasses().should()
			.dependOnClassesThat(resideInAPackage("io.jobqueue.*..")
				.and(resideOutsideOfPackages("io.jobqueue.sample..", NEWSLETTER, SERVERS)))
			.check(CLASSES);
		noClasses().that()
			.resideOutsideOfPackage("io.jobqueue.sample.database")
			.should()
			.dependOnClassesThat(resideInAPackage(SERVERS))
			.check(CLASSES);
	}

}
