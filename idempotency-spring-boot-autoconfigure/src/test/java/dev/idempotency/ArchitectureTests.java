package dev.idempotency;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.Configuration;

/** What each package may use, and what may be seen of it. */
@AnalyzeClasses(packages = "dev.idempotency", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    private static final String API = "dev.idempotency";
    private static final String[] LANGUAGE = {"java..", "org.jspecify.."};

    @ArchTest
    static final ArchRule apiUsesTheLanguageOnly = onlyUses(API);

    @ArchTest
    static final ArchRule coreDecidesWithoutLibraries =
            onlyUses("dev.idempotency.core", API, "org.slf4j..", "org.springframework.transaction..");

    @ArchTest
    static final ArchRule messageReadsMessages = onlyUses(
            "dev.idempotency.message",
            API,
            "org.slf4j..",
            "org.springframework.util..",
            "org.springframework.messaging..",
            "tools.jackson..",
            "jakarta.jms..");

    @ArchTest
    static final ArchRule listenerBindsContainers = onlyUses(
            "dev.idempotency.listener",
            API,
            "dev.idempotency.message",
            "org.slf4j..",
            "org.aopalliance..",
            "org.springframework.aop..",
            "org.springframework.beans..",
            "org.springframework.context..",
            "org.springframework.core..",
            "org.springframework.util..",
            "org.springframework.messaging..",
            "org.springframework.transaction..",
            "org.springframework.jms..",
            "jakarta.jms..");

    @ArchTest
    static final ArchRule memoryStoreUsesTheApiOnly = onlyUses("dev.idempotency.store.memory", API, "org.slf4j..");

    @ArchTest
    static final ArchRule redisStoreUsesTheApiAndItsLibraryOnly = onlyUses(
            "dev.idempotency.store.redis",
            API,
            "io.lettuce.core..",
            "org.springframework.dao..",
            "org.springframework.data.redis..",
            "org.springframework.util..");

    @ArchTest
    static final ArchRule lettuceIsIsolatedInItsStore =
            onlyIn("dev.idempotency.store.redis", "io.lettuce.core..", "LettuceBatch");

    @ArchTest
    static final ArchRule jdbcStoreUsesTheApiAndItsLibrariesOnly = onlyUses(
            "dev.idempotency.store.jdbc",
            API,
            "javax.sql..",
            "org.springframework.dao..",
            "org.springframework.jdbc..",
            "org.springframework.transaction..");

    // O75: so a clock or a time zone that is off at one of the processes changes nothing
    @ArchTest
    static final ArchRule sharedStoresHaveNoClockOfTheirOwn = noClasses()
            .that()
            .resideInAnyPackage("dev.idempotency.store.redis", "dev.idempotency.store.jdbc")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethodWhere(target(name("now")))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(InstantSource.class);

    @ArchTest
    static final ArchRule adviceTranslates = onlyUses(
            "dev.idempotency.aop",
            API,
            "dev.idempotency.core",
            "dev.idempotency.message",
            "org.slf4j..",
            "org.aopalliance..",
            "org.springframework.aop..",
            "org.springframework.asm..",
            "org.springframework.aot..",
            "org.springframework.beans..",
            "org.springframework.context..",
            "org.springframework.core..",
            "org.springframework.expression..",
            "org.springframework.format..",
            "org.springframework.util..",
            "org.springframework.transaction..",
            "org.reactivestreams..",
            "reactor.core..");

    @ArchTest
    static final ArchRule storesSeeOnlyTheApi = noClasses()
            .that()
            .resideInAPackage("dev.idempotency.store..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "dev.idempotency.core..",
                    "dev.idempotency.aop..",
                    "dev.idempotency.message..",
                    "dev.idempotency.listener.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule storesDoNotSeeOneAnother =
            slices().matching("dev.idempotency.store.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule nothingSeesTheWiring = noClasses()
            .that()
            .resideOutsideOfPackage("dev.idempotency.autoconfigure..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.idempotency.autoconfigure..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.idempotency.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule transactionsAreIsolatedInCore =
            onlyIn("dev.idempotency.core", "org.springframework.transaction..", "SpringTransactions");

    @ArchTest
    static final ArchRule transactionsAreIsolatedInTheAdvice = onlyIn(
            "dev.idempotency.aop", "org.springframework.transaction..", "DeclaredTransaction", "TransactionOwner");

    @ArchTest
    static final ArchRule reactorIsIsolatedInTheAdvice =
            onlyIn("dev.idempotency.aop", "reactor.core..", "ReactiveResults");

    @ArchTest
    static final ArchRule autoConfigurationsArePublicAndShowNothing = classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .bePublic()
            .andShould()
            .haveModifier(JavaModifier.FINAL)
            .andShould()
            .haveSimpleNameEndingWith("AutoConfiguration")
            .andShould(showNoMember());

    @ArchTest
    static final ArchRule otherWiringIsHidden = classes()
            .that()
            .areAssignableTo(SpringBootCondition.class)
            .or()
            .areAssignableTo(FailureAnalyzer.class)
            .or()
            .areAnnotatedWith(Configuration.class)
            .should()
            .notBePublic();

    @ArchTest
    static final ArchRule adviceAndWiringClassesAreFinal = classes()
            .that()
            .resideInAnyPackage("dev.idempotency.aop..", "dev.idempotency.autoconfigure..")
            .and()
            .areNotInterfaces()
            .and()
            .areNotAnnotatedWith(Configuration.class)
            .and(DescribedPredicate.not(boundToProperties()))
            .and(DescribedPredicate.not(packageInfo()))
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .bePrivate();

    @ArchTest
    static final ArchRule nothingIsSynchronized = methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED);

    @ArchTest
    static void everyPackageIsNullMarked(JavaClasses classes) {
        assertThat(classes.stream()
                        .map(JavaClass::getPackage)
                        .distinct()
                        .filter(pack -> !pack.getClasses().isEmpty()))
                .isNotEmpty()
                .allSatisfy(pack -> assertThat(pack.isAnnotatedWith(NullMarked.class))
                        .as(pack.getName())
                        .isTrue());
    }

    @ArchTest
    static final ArchRule packagesSayWhatTheyAreFor =
            noClasses().should().resideInAnyPackage("..util..", "..common..", "..impl..", "..manager..", "..helper..");

    private static ArchRule onlyUses(String pack, String... allowed) {
        String[] all = new String[allowed.length + LANGUAGE.length + 1];
        System.arraycopy(allowed, 0, all, 0, allowed.length);
        System.arraycopy(LANGUAGE, 0, all, allowed.length, LANGUAGE.length);
        all[all.length - 1] = pack;
        return classes()
                .that()
                .resideInAPackage(pack)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(all)
                        .or(DescribedPredicate.describe(
                                "are primitive", type -> type.getPackageName().isEmpty())));
    }

    private static ArchRule onlyIn(String pack, String library, String... simpleNames) {
        return noClasses()
                .that()
                .resideInAPackage(pack)
                .and(DescribedPredicate.describe(
                        "are not part of " + List.of(simpleNames),
                        type -> Stream.of(simpleNames).noneMatch(name -> isPartOf(type, name))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library);
    }

    private static boolean isPartOf(JavaClass type, String simpleName) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        return name.equals(simpleName) || name.startsWith(simpleName + "$");
    }

    private static DescribedPredicate<JavaClass> boundToProperties() {
        return DescribedPredicate.describe(
                "properties", type -> type.getName().startsWith("dev.idempotency.autoconfigure.IdempotencyProperties"));
    }

    private static DescribedPredicate<JavaClass> packageInfo() {
        return DescribedPredicate.describe(
                "package-info", type -> type.getSimpleName().equals("package-info"));
    }

    private static ArchCondition<JavaClass> showNoMember() {
        return new ArchCondition<>("show no public method or field") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getMembers().stream()
                        .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(member -> !member.getName().equals("<init>"))
                        .forEach(member -> events.add(SimpleConditionEvent.violated(type, member.getDescription())));
            }
        };
    }
}
